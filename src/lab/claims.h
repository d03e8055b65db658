#pragma once

#include <vector>

#include "lab/stored_study.h"

namespace sprig::lab {

/// What the paper claims, one by one: its figures, ours where they were measured, and whether the claim holds
/// here. Where a study has not been run, its claims say so.
[[nodiscard]] StoredTable claims_table(const std::vector<StoredStudy>& studies);

} // namespace sprig::lab
