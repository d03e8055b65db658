#pragma once

#include <span>

#include "draw/overlay.h"
#include "sprig/draw.h"
#include "sprig/learner.h"

namespace sprig::draw {

/// A unit and the observed nodes of its own nodes: `no_node` for a missing one, empty if the unit was not
/// found.
struct PlacedUnit {
    const UnitView* unit = nullptr;
    std::span<const NodeId> placed;
    FoundPose pose = {};
};

/// The drawing of a unit in px of the image. `below` is its chain of targets, the nearest first. The network
/// of `observed` is in coordinates of the learner's front end.
[[nodiscard]] Overlay overlay_of(const PlacedUnit& top, std::span<const PlacedUnit> below,
                                 const ConstructionFigure& observed, const CoordinateTransform& transform);

} // namespace sprig::draw
