#pragma once

#include <span>

#include "draw/overlay.h"
#include "sprig/draw.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// A unit and where its own nodes were placed: `no_node` for one that is missing, nothing at all for a unit
/// that was not found.
struct PlacedUnit {
    const UnitView* unit = nullptr;
    std::span<const NodeId> placed;
    bool left_right = false; ///< found in a mirror
    bool top_bottom = false;
};

/// What is drawn of a unit, in px of the image. `below` are those that it stands on, the nearest first;
/// `seen` has the network as the learner's front end measures it.
[[nodiscard]] Overlay overlay_of(const PlacedUnit& top, std::span<const PlacedUnit> below,
                                 const ConstructionFigure& seen, const Placement& placement);

} // namespace sprig::draw
