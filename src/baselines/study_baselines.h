#pragma once

#include "lab/study.h"

namespace sprig::baselines {

/// The studies of this room, for whoever lists them beside the lab's.
[[nodiscard]] const std::vector<lab::Study>& studies();

/// All methods on the identical stream, beside our learners and the paper's figures.
[[nodiscard]] lab::StudyResult study_baselines(const lab::StudyContext& context);

} // namespace sprig::baselines
