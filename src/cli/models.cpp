#include "cli/models.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "cli/declarations.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "core/keyed.h"
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

Model load_model_to_ask(const std::string& path) {
    Model model = Model::load(path);
    if (model.learner().classes().empty()) {
        throw usage_error(fmt::format(
            "'{}' knows no class yet, so it cannot be asked; 'sprig learn' teaches it some", path));
    }
    return model;
}

std::uint64_t age_of(const Model& model, const UnitView& unit) {
    std::uint64_t now = model.learner().steps();
    if (learner_kind(model.facts().learner)->classes_are_independent) {
        const std::vector<std::string> classes = model.learner().classes();
        const auto at = std::ranges::find(classes, unit.label) - classes.begin();
        now = model.samples().at(static_cast<std::size_t>(at));
    }
    return now - std::min(now, unit.born);
}

namespace {

/// The streams of all addresses: what cannot be opened is known before the work begins.
std::vector<ImageStream> open_all(const ImageLoop& loop, const LoadOptions& load, std::istream& input) {
    std::vector<ImageStream> streams;
    for (const std::string& address : loop.addresses) {
        if (loop.lines && address == "-") {
            streams.emplace_back(LabelledLines(input), load);
            continue;
        }
        ImageStream& stream = streams.emplace_back(address, load);
        if (loop.shuffle) stream.reorder(random::shuffled(*stream.size(), *loop.shuffle));
    }
    return streams;
}

/// The next image of a stream, and its network; none at the end. What is wrong with it is said with its name.
std::optional<StreamedImage> see_next(ImageStream& stream, FrontEnd& front_end, Network& network) {
    std::optional<StreamedImage> image = stream.next();
    if (!image) return image;
    try {
        front_end.extract(image->image.view(), network);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("'{}': {}", image->name, error.what()));
    }
    return image;
}

} // namespace

std::size_t for_each_image(const ImageLoop& loop, const std::function<void(const SeenImage&)>& show) {
    PictureReader reader(loop.pictures);
    LoadOptions load;
    load.prepare = [&](const Picture& picture) { return reader.take(picture); };
    StandardInput input;
    std::vector<ImageStream> streams = open_all(loop, load, input);
    std::size_t all = 0; // as far as anybody knows
    for (const ImageStream& stream : streams) all += stream.size().value_or(0);
    const bool keep_going = loop.keep_going.value_or(all > 1);
    const std::size_t most = loop.limit.value_or(std::numeric_limits<std::size_t>::max());
    FrontEnd front_end(loop.front_end);
    Network network(front_end.schema());
    ProgressBar bar(loop.doing);
    std::size_t shown = 0;
    std::size_t skipped = 0;
    for (ImageStream& stream : streams) {
        while (shown < most) {
            std::optional<StreamedImage> image;
            std::string wrong;
            try {
                image = see_next(stream, front_end, network);
            } catch (const Error& error) {
                // What is wrong with our own side of it is no fault of the image.
                if (error.kind() == ErrorKind::failed) throw;
                wrong = error.what();
                if (!keep_going && error.kind() == ErrorKind::bad_input && all != 1)
                    throw bad_input(wrong + "; --keep-going skips such images");
                if (!keep_going) throw;
            }
            if (image) {
                show({image->name, image->label, network});
                ++shown;
            } else if (!wrong.empty()) {
                say(fmt::format("sprig: {}", wrong));
                ++skipped;
            } else {
                break;
            }
            const std::string note = loop.note ? loop.note() : "";
            all > 0 ? bar.update(shown + skipped, std::min(all, most), note) : bar.count(shown, note);
        }
    }
    reader.say_what_was_taken();
    return skipped;
}

void add_keep_going_option(CLI::App& verb, bool& keep_going, const char* by_default) {
    verb.add_flag("--keep-going", keep_going,
                  fmt::format("Skip images that cannot be read, and end with exit code 3{}", by_default));
}

void end_after(std::size_t skipped) {
    if (skipped == 0) return;
    flush_results();
    say(fmt::format("sprig: {} skipped", counted(skipped, "image was", "images were")));
    throw EndWith{wrong_input};
}

} // namespace sprig::cli
