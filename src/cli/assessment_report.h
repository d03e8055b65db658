#pragma once

#include <string>

#include "model/assessor.h"

namespace sprig::cli {

/// The measures of a test as tables. With many classes, the confusion matrix is left out; the most frequent
/// error of each class is always shown.
[[nodiscard]] std::string assessment_report(const Assessment& assessment);

} // namespace sprig::cli
