#pragma once

#include <span>
#include <vector>

#include "sprig/learner.h"

namespace sprig::constellation {

/// Groups some nodes of a unit into bends: nodes that follow each other on the contour at nearly one place,
/// such as the extrema along several directions at the end of a stroke. The nodes of a bend are in the order
/// of the contour; a node that has no such neighbour is a bend of its own.
[[nodiscard]] std::vector<std::vector<NodeId>> bends_of(const UnitView& unit, std::span<const NodeId> nodes);

} // namespace sprig::constellation
