#pragma once

#include <optional>
#include <vector>

#include "draw/marks.h"
#include "draw/svg.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// A piece of the outline that a unit expects, from one of its nodes to the next on the contour: a cubic
/// curve in the coordinates of the unit's pattern.
struct OutlineStroke {
    NodeId from = 0;
    std::optional<NodeId> to = {}; ///< none: no node of the unit lies where the next one is expected
    Point begin;
    Point first_control;
    Point second_control;
    Point end;
    // Towards the ink, of length 1; 0 where the types of nodes do not tell where ink is.
    Point begin_inward;
    Point end_inward;
    double weight = 0; ///< how likely both its ends are there
};

/// The outline that a unit's own nodes tell. Nodes are joined so that each has one successor and one
/// predecessor as far as they agree, and so outlines close; those that are left over, alternatives to others,
/// are joined to what they fit best. Likely nodes are joined past unlikely ones, too. The unit must have a
/// NodeView for each own node.
[[nodiscard]] std::vector<OutlineStroke> outline_of(const UnitView& unit, const Reading& reading);

} // namespace sprig::draw
