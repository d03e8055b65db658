#pragma once

#include "lab/report/study.h"

namespace sprig::baselines {

/// Up to ten thousand classes, beside other methods.
[[nodiscard]] lab::Study study_characters();

} // namespace sprig::baselines
