#pragma once

#include <array>
#include <vector>

#include "sprig/explain.h"

namespace sprig::explain {

/// Where an addition would run, in the coordinates of the observation: from the expected previous neighbour
/// on the contour through the nodes of the bend to the expected next one. Empty for a whole unit.
[[nodiscard]] std::vector<std::array<double, 2>> ghost_of(const Addition& addition, const ScoredUnit& unit);

/// The unit of an addition among those of the two classes compared; null if it is not one of them.
[[nodiscard]] const ScoredUnit* unit_of(const Addition& addition, const LocalExplanation& all);

} // namespace sprig::explain
