#include "draw/placed_unit.h"

#include <algorithm>

#include "draw/placed.h"
#include "draw/unit_panel.h"

namespace sprig::draw {
namespace {

NodeId place_of(const PlacedUnit& unit, NodeId own) {
    return own < unit.placed.size() ? unit.placed[own] : no_node;
}

/// The observed node of a node of the target units. An anchor is identical to one of them: it has the same
/// type and position.
NodeId placed_below(std::span<const PlacedUnit> below, const Network& network, NodeId node) {
    for (const PlacedUnit& lower : below)
        for (NodeId own = 0; own < lower.unit->own_nodes; ++own)
            if (lower.unit->pattern.type(own) == network.type(node) &&
                std::ranges::equal(lower.unit->pattern.position(own), network.position(node)))
                return place_of(lower, own);
    return no_node;
}

/// Converts spreads to px.
std::vector<NodeView> in_px(std::vector<NodeView> nodes, const CoordinateTransform& transform) {
    for (NodeView& node : nodes)
        for (double& spread : node.spread) spread /= transform.unit;
    return nodes;
}

/// The network of a unit, in the pose in which it was found.
Network as_found(const Network& network, const FoundPose& pose) {
    Network result(network.shared_schema());
    for (NodeId node = 0; node < network.node_count(); ++node)
        result.add_node(network.type(node),
                        pose.to_observation({network.coordinate(node, 0), network.coordinate(node, 1)}),
                        network.attributes(node));
    result.set_edges(network.edges());
    return result;
}

} // namespace

Overlay overlay_of(const PlacedUnit& top, std::span<const PlacedUnit> below,
                   const ConstructionFigure& observed, const CoordinateTransform& transform) {
    std::vector<const UnitView*> chain;
    for (const PlacedUnit& lower : below) chain.push_back(lower.unit);
    UnitWithChain whole = unit_with_chain(*top.unit, chain);
    std::vector<NodeId> placed;
    for (NodeId node = 0; node < whole.network.node_count(); ++node)
        placed.push_back(node < top.unit->own_nodes ? place_of(top, node)
                                                    : placed_below(below, whole.network, node));
    Overlay overlay{.caption = {},
                    .note = {},
                    .observed = observed,
                    .pattern = to_image_coordinates(
                        top.pose.is_changed() ? as_found(whole.network, top.pose) : whole.network, transform),
                    .placed = std::move(placed),
                    .weights = in_px(top.unit->nodes, transform)};
    overlay.observed.network = to_image_coordinates(observed.network, transform);
    if (!below.empty()) {
        overlay.roles = std::move(whole.roles);
        overlay.first_edge_below = static_cast<EdgeId>(top.unit->pattern.edge_count());
    }
    return overlay;
}

} // namespace sprig::draw
