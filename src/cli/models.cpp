#include "cli/models.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "sprig/error.h"

namespace sprig::cli {

CLI::Option* add_model_option(CLI::App& verb, std::string& path, const char* what) {
    return verb.add_option("MODEL", path, what)->required();
}

CLI::Option& add_maturity_option(CLI::App& verb, std::optional<std::uint64_t>& maturity) {
    return *verb.add_option("--maturity", maturity,
                            "Draw units with so many observations (default: 2, and of a class that has no "
                            "such unit the most observed one)")
                ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000}))
                ->type_name("NUMBER");
}

void offer_addresses(CLI::Option& option) {
    offer(option, address_words(), Besides::files);
}

std::string hexadecimal(std::uint64_t number) {
    return fmt::format("{:016x}", number);
}

std::string counted(std::uint64_t number, std::string_view what, std::string_view plural) {
    if (number == 1) return fmt::format("1 {}", what);
    return plural.empty() ? fmt::format("{} {}s", with_commas(number), what)
                          : fmt::format("{} {}", with_commas(number), plural);
}

const char* in_words(Polarity polarity) {
    return polarity == Polarity::positive ? "positive" : "negative";
}

std::string kind_in_words(const ModelFacts& facts) {
    return facts.preset.empty() ? facts.learner : fmt::format("{}, preset {}", facts.learner, facts.preset);
}

StoredModel load_model_to_ask(const std::string& path) {
    StoredModel model = load_model(path);
    if (model.learner->classes().empty()) {
        throw usage_error(fmt::format(
            "'{}' knows no class yet, so it cannot be asked; 'sprig learn' teaches it some", path));
    }
    return model;
}

std::uint64_t age_of(const StoredModel& model, const UnitView& unit) {
    std::uint64_t now = model.learner->steps();
    if (model.facts.learner == "constellation") {
        const std::vector<std::string> classes = model.learner->classes();
        const auto at = std::ranges::find(classes, unit.label) - classes.begin();
        now = model.samples.at(static_cast<std::size_t>(at));
    }
    return now - std::min(now, unit.born);
}

void see(FrontEnd& front_end, ImageView image, const std::string& name, Network& network) {
    try {
        front_end.extract(image, network);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("'{}': {}", name, error.what()));
    }
}

void for_each_image(const std::vector<std::string>& addresses, const PictureOptions& pictures,
                    const FrontEndParams& front_end_params, const char* doing,
                    const std::function<void(const SeenImage&)>& show) {
    FrontEnd front_end(front_end_params);
    Network network(front_end.schema());
    PictureReader reader(pictures);
    for (const std::string& address : addresses) {
        const Dataset data = load_quietly(address, reader);
        ProgressBar bar(doing);
        for (std::size_t i = 0; i < data.size(); ++i) {
            see(front_end, data.image(i), data.name(i), network);
            show({data.name(i), data.label(i) < 0 ? "" : data.label_name(i), network});
            bar.update(i + 1, data.size());
        }
    }
    reader.say_what_was_taken();
}

} // namespace sprig::cli
