#pragma once

#include <string_view>
#include <vector>

#include "lab/report/study.h"

namespace sprig::lab {

/// All studies, in the order in which they are listed.
[[nodiscard]] const std::vector<Study>& all_studies();
/// The study with that name. Throws Error(usage) that lists all names if there is none.
[[nodiscard]] const Study& study_called(std::string_view name,
                                        const std::vector<Study>& studies = all_studies());

} // namespace sprig::lab
