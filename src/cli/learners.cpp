#include "cli/learners.h"

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::cli {

std::unique_ptr<Learner> make_learner(const LearnerChoice& choice, std::uint64_t /*seed*/) {
    throw usage_error(fmt::format("no learner called '{}' is in this version", choice.name));
}

} // namespace sprig::cli
