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

void check_placed(const Network& pattern, const Network& seen, std::span<const NodeId> placed) {
    if (placed.size() != pattern.node_count())
        throw bad_input(fmt::format("a pattern of {} nodes cannot be drawn with places for {}",
                                    pattern.node_count(), placed.size()));
    const auto is_there = [&](NodeId node) { return node == no_node || node < seen.node_count(); };
    if (!std::ranges::all_of(placed, is_there))
        throw bad_input("a pattern cannot be drawn: it is placed on a node that was not seen");
}

} // namespace

PlacedPart placed_part(const Network& pattern, const Network& seen, std::span<const NodeId> placed) {
    check_placed(pattern, seen, placed);
    std::set<std::tuple<NodeId, NodeId, std::uint32_t>> there;
    for (const Edge& edge : seen.edges()) there.emplace(edge.from, edge.to, edge.layer);
    PlacedPart part{Network(pattern.shared_schema()), {}, {}};
    std::vector<NodeId> place(pattern.node_count(), no_node);
    for (NodeId node = 0; node < pattern.node_count(); ++node) {
        if (placed[node] == no_node) continue;
        place[node] =
            part.network.add_node(pattern.type(node), seen.position(placed[node]), pattern.attributes(node));
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

Network in_image(const Network& network, const Placement& placement) {
    Network result(network.shared_schema());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const double along = network.coordinate(node, 0);
        const double across = network.coordinate(node, 1);
        const double x = (along * placement.cosine) - (across * placement.sine);
        const double y = (along * placement.sine) + (across * placement.cosine);
        const std::array<double, 2> place = {placement.origin_x + (x / placement.unit),
                                             placement.origin_y + (y / placement.unit)};
        result.add_node(network.type(node), place, network.attributes(node));
    }
    result.set_edges(network.edges());
    return result;
}

Network by_range(const Network& network) {
    std::vector<Edge> edges(network.edges().begin(), network.edges().end());
    for (EdgeId id = 0; id < edges.size(); ++id) {
        const std::span<const double> reach = network.displacement(id);
        const double steps = std::hypot(reach[0], reach[1]) * range_steps / farthest_range;
        const auto level = static_cast<std::uint32_t>(std::clamp(steps, 0.0, range_steps - 1.0));
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
