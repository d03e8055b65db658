#pragma once

#include <string>

#include "model/assessment.h"

namespace sprig::cli {

/// How a model did, as a person reads it. Of more classes than a screen is wide there is no table of who was
/// taken for whom, only the most frequent mistake of each.
[[nodiscard]] std::string assessment_report(const Assessed& assessed);

} // namespace sprig::cli
