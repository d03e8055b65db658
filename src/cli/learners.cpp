#include "cli/learners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "learner/front_end_parameters.h"
#include "sprig/constellation.h"
#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::cli {

namespace {

/// Sets what belongs to the learner or, with the same words, to the front end it sees with.
template <class Params>
void apply(const LearnerChoice& choice, Params& params, FrontEndParams& front_end) {
    for (const auto& [key, value] : choice.settings) {
        if (learner::set_parameter(front_end, key, value)) continue;
        const nlohmann::ordered_json known = nlohmann::ordered_json::parse(to_json(params));
        if (!known.contains(key)) {
            std::vector<std::string> names;
            for (const auto& item : known.items()) names.push_back(item.key());
            throw usage_error(fmt::format("{} has no parameter {}: there are {}; and of its front end {}",
                                          choice.name, key, fmt::join(names, ", "),
                                          learner::front_end_parameter_names()));
        }
        set_parameter(params, key, value);
    }
}

std::unique_ptr<Learner> make_modeller(const LearnerChoice& choice, std::uint64_t seed) {
    ModellerParams params = modeller_preset(preset_of(choice));
    FrontEndParams front_end;
    apply(choice, params, front_end);
    return std::make_unique<Modeller>(params, seed, front_end);
}

std::unique_ptr<Learner> make_constellation(const LearnerChoice& choice) {
    ConstellationPreset preset = constellation_preset(preset_of(choice));
    apply(choice, preset.params, preset.front_end);
    return std::make_unique<Constellation>(preset);
}

} // namespace

const std::vector<std::string>& learner_names() {
    static const std::vector<std::string> names = {"constellation", "modeller"};
    return names;
}

const std::vector<std::string>& preset_names() {
    static const std::vector<std::string> names = {
        "default", "paper-vocabulary", "accurate", "long", "general", "best", "paper", "paper-literal"};
    return names;
}

std::string preset_of(const LearnerChoice& choice) {
    if (!choice.preset.empty()) return choice.preset;
    return choice.name == "modeller" ? "best" : "default";
}

std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed) {
    if (choice.name == "modeller") return make_modeller(choice, seed);
    if (choice.name == "constellation") return make_constellation(choice);
    throw usage_error(fmt::format("there is no learner called '{}': there are {}", choice.name,
                                  fmt::join(learner_names(), " and ")));
}

} // namespace sprig::cli
