#pragma once

#include <vector>

#include "lab/protocol.h"
#include "sprig/learners.h"

namespace sprig::cli {

/// Under which ways of matching the learner's guarantee is audited.
[[nodiscard]] std::vector<lab::NamedAudit> audits_of(const LearnerChoice& choice);

/// Whether the learner promises that refinement breaks nothing.
[[nodiscard]] bool promises_preservation(const Learner& learner);

} // namespace sprig::cli
