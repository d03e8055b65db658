#include "cli/learners.h"

#include <cmath>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::cli {

namespace {

bool is_true(const std::string& key, const std::string& value) {
    if (value != "true" && value != "false") {
        throw usage_error(fmt::format("{}={} makes no sense: {} is true or false", key, value, key));
    }
    return value == "true";
}

} // namespace

std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed) {
    if (choice.name != "modeller") {
        throw usage_error(fmt::format("there is no learner called '{}': there is modeller", choice.name));
    }
    ModellerParams params = modeller_preset(choice.preset);
    FrontEndParams front_end;
    for (const auto& [key, value] : choice.settings) {
        if (key == "single_scale") {
            front_end.finest_only = is_true(key, value);
        } else {
            set_parameter(params, key, value);
        }
    }
    return std::make_unique<Modeller>(params, seed, front_end);
}

std::vector<lab::NamedAudit> audits_of(const LearnerChoice& /*choice*/) {
    const auto with = [](ModellerParams::Chains chains) {
        return [chains](const Learner& learner) {
            const auto& modeller = dynamic_cast<const Modeller&>(learner);
            ModellerParams params = modeller.params();
            params.chains = chains;
            return modeller.reader(params);
        };
    };
    return {{"anchored", with(ModellerParams::Chains::anchored)},
            {"unified", with(ModellerParams::Chains::unified)}};
}

bool promises_preservation(const Learner& learner) {
    const auto* modeller = dynamic_cast<const Modeller*>(&learner);
    if (modeller == nullptr) return false;
    // With a bound on the error or a gate, presence hangs on running means, and those move.
    using Gate = ModellerParams::PositionGate;
    const Gate gate = modeller->params().position_gate;
    return std::isinf(modeller->params().max_error) && (gate == Gate::none || gate == Gate::suppressors);
}

} // namespace sprig::cli
