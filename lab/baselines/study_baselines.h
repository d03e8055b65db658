#pragma once

#include "lab/report/study.h"

namespace sprig::baselines {

/// All methods on the identical stream, next to Sprig's learners and the paper's results.
[[nodiscard]] lab::Study study_baselines();

} // namespace sprig::baselines
