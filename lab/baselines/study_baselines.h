#pragma once

#include "lab/report/study.h"

namespace sprig::baselines {

/// All methods on the identical stream, beside our learners and the paper's figures.
[[nodiscard]] lab::Study study_baselines();

} // namespace sprig::baselines
