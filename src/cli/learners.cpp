#include "cli/learners.h"

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::cli {

std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t seed) {
    if (choice.name != "modeller") {
        throw usage_error(fmt::format("there is no learner called '{}': there is modeller", choice.name));
    }
    ModellerParams params = modeller_preset(choice.preset);
    for (const auto& [key, value] : choice.settings) set_parameter(params, key, value);
    return std::make_unique<Modeller>(params, seed);
}

} // namespace sprig::cli
