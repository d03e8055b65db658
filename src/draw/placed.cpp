#include "draw/placed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "draw/palette.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

void check_placed(const Network& pattern, const Network& observed, std::span<const NodeId> placed) {
    if (placed.size() != pattern.node_count())
        throw bad_input(fmt::format("cannot draw a pattern of {} nodes with an assignment of {}",
                                    pattern.node_count(), placed.size()));
    const auto is_there = [&](NodeId node) { return node == no_node || node < observed.node_count(); };
    if (!std::ranges::all_of(placed, is_there))
        throw bad_input("cannot draw a pattern: it is assigned to a node that the observation does not have");
}

} // namespace

PlacedPart placed_part(const Network& pattern, const Network& observed, std::span<const NodeId> placed) {
    check_placed(pattern, observed, placed);
    std::set<std::tuple<NodeId, NodeId, std::uint32_t>> there;
    for (const Edge& edge : observed.edges()) there.emplace(edge.from, edge.to, edge.layer);
    PlacedPart part{Network(pattern.shared_schema()), {}, {}};
    std::vector<NodeId> place(pattern.node_count(), no_node);
    for (NodeId node = 0; node < pattern.node_count(); ++node) {
        if (placed[node] == no_node) continue;
        place[node] = part.network.add_node(pattern.type(node), observed.position(placed[node]),
                                            pattern.attributes(node));
        part.nodes.push_back(node);
    }
    for (EdgeId id = 0; id < pattern.edge_count(); ++id) {
        Edge edge = pattern.edge(id);
        if (!there.contains({placed[edge.from], placed[edge.to], edge.layer})) continue;
        edge.from = place[edge.from];
        edge.to = place[edge.to];
        part.network.add_edge(edge);
        part.edges.push_back(id);
    }
    return part;
}

Point to_image_coordinates(Point place, const CoordinateTransform& transform) {
    const double x = (place.x * transform.cosine) - (place.y * transform.sine);
    const double y = (place.x * transform.sine) + (place.y * transform.cosine);
    return {transform.origin_x + (x / transform.unit), transform.origin_y + (y / transform.unit)};
}

Network to_image_coordinates(const Network& network, const CoordinateTransform& transform) {
    Network result(network.shared_schema());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const Point place =
            to_image_coordinates(Point{network.coordinate(node, 0), network.coordinate(node, 1)}, transform);
        result.add_node(network.type(node), std::array{place.x, place.y}, network.attributes(node));
    }
    result.set_edges(network.edges());
    return result;
}

Network with_length_levels(const Network& network) {
    std::vector<Edge> edges(network.edges().begin(), network.edges().end());
    for (EdgeId id = 0; id < edges.size(); ++id) {
        const std::span<const double> reach = network.displacement(id);
        const double steps = std::hypot(reach[0], reach[1]) * length_steps / max_edge_length;
        const auto level = static_cast<std::uint32_t>(std::clamp(steps, 0.0, length_steps - 1.0));
        edges[id].first_level = edges[id].last_level = level;
    }
    Network result = network;
    result.set_edges(edges);
    return result;
}

void draw_missing(Svg& svg, Point centre, double radius, NodeMark mark) {
    svg.circle(centre, radius * 1.35,
               Attributes()
                   .set("class", "missing")
                   .set("fill", "#fff")
                   .set("stroke", soft_colour)
                   .set("stroke-width", 1.1)
                   .set("stroke-dasharray", "2.2 1.6"));
    mark.colour = soft_colour;
    mark.filled = false;
    draw_mark(svg, centre, radius * 0.62, mark);
}

} // namespace sprig::draw
