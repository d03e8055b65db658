#pragma once

#include <optional>
#include <vector>

#include "draw/marks.h"
#include "draw/svg.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// A piece of the outline that a unit expects, between two consecutive nodes of a contour: a cubic curve in
/// the coordinates of the unit's pattern.
struct OutlineStroke {
    NodeId from = 0;
    std::optional<NodeId> to = {}; ///< not set if the unit has no node where the next one is expected
    Point begin;
    Point first_control;
    Point second_control;
    Point end;
    // Unit vectors towards the ink; 0 if the node types do not define a direction.
    Point begin_inward;
    Point end_inward;
    double weight = 0; ///< probability that both ends are present
};

/// The outline that a unit expects. Consistent nodes are joined so that each has one successor and one
/// predecessor, which closes the outlines. Nodes left over, which are alternatives to others, are joined to
/// their best fit. Likely nodes are also joined directly, skipping unlikely ones between them. The unit must
/// have a NodeView for each own node.
[[nodiscard]] std::vector<OutlineStroke> outline_of(const UnitView& unit, const SchemaStyle& style);

} // namespace sprig::draw
