#include "cli/learners.h"

#include <cmath>

#include <fmt/format.h>

#include "sprig/constellation.h"
#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::cli {

std::vector<lab::NamedAudit> audits_of(const LearnerChoice& choice) {
    if (choice.name != "modeller") {
        throw usage_error(fmt::format(
            "--audit checks what the Modeller promises; {} promises something else, that no class touches "
            "another: see docs/method.md",
            choice.name));
    }
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
