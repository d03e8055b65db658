#pragma once

#include <string>
#include <vector>

#include "lab/result_files.h"

namespace sprig::cli {

/// What one learner gave.
struct LearnerRun {
    lab::Description what;
    lab::Results results;
};

/// The results as a person reads them.
[[nodiscard]] std::string run_report(const LearnerRun& run);
/// The results of several learners on the same streams, side by side.
[[nodiscard]] std::string comparison_report(const std::vector<LearnerRun>& runs);

} // namespace sprig::cli
