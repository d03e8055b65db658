#include "cli/models.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/options.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"

namespace sprig::cli {

CLI::Option* add_model_option(CLI::App& verb, std::string& path, const char* description) {
    return verb.add_option("MODEL", path, description)->required();
}

CLI::Option& add_maturity_option(CLI::App& verb, std::optional<std::uint64_t>& maturity) {
    return *verb.add_option("--maturity", maturity,
                            "Minimum number of observations of a drawn unit (default: 2; for a class without "
                            "such a unit, its most observed one)")
                ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000}))
                ->type_name("NUMBER");
}

void set_address_completions(CLI::Option& option) {
    set_completions(option, address_completions(), FileNames::allowed);
}

std::string hexadecimal(std::uint64_t number) {
    return fmt::format("{:016x}", number);
}

std::string counted(std::uint64_t number, std::string_view what, std::string_view plural) {
    if (number == 1) return fmt::format("1 {}", what);
    return plural.empty() ? fmt::format("{} {}s", with_commas(number), what)
                          : fmt::format("{} {}", with_commas(number), plural);
}

const char* polarity_name(Polarity polarity) {
    return polarity == Polarity::positive ? "positive" : "negative";
}

std::string learner_and_preset(const ModelFacts& facts) {
    std::string text = facts.learner;
    if (!facts.preset.empty()) text += ", preset " + facts.preset;
    return facts.free_pose ? text + ", free pose" : text;
}

void add_budget_option(CLI::App& verb, std::size_t& budget) {
    verb.add_option(
            "--budget", budget,
            "Compare only the N units that are most like the image; faster with thousands of classes, "
            "and nearly always the same answer (default: all units)")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}));
}

Model load_trained_model(const std::string& path, std::size_t budget) {
    ModelOptions options;
    options.budget = budget;
    Model model = Model::load(path, options);
    if (model.learner().classes().empty()) {
        throw usage_error(
            fmt::format("'{}' has no classes yet; learn images with 'sprig learn' first", path));
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

} // namespace sprig::cli
