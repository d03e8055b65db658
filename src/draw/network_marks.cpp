#include "draw/network_marks.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "draw/palette.h"

namespace sprig::draw {
namespace {

/// Target units are drawn faintly, as context.
constexpr double below_opacity = 0.3;
/// The radius of an anchor's ring in radii of a mark.
constexpr double ring_size = 1.2;

double mark_radius(const Frame& frame, const Network& network) {
    const double crowd = static_cast<double>(network.node_count()) / 40;
    return std::clamp(7.5 - crowd, 4.2, 6.5) * std::clamp(frame.size / 280, 0.45, 1.4);
}

/// Edges of large networks are thinner.
double line_scale(const Frame& frame, const Network& network) {
    const double crowd =
        std::sqrt(22.0 / static_cast<double>(std::max<std::size_t>(network.node_count(), 1)));
    return std::clamp(crowd, 0.5, 1.0) * std::clamp(frame.size / 280, 0.6, 1.4);
}

bool exists_at(const Edge& edge, std::uint32_t level) {
    return edge.first_level <= level && level <= edge.last_level;
}

/// The nodes that remain at a level: those with an edge of any layer there.
std::vector<bool> nodes_at(const Network& network, std::optional<std::uint32_t> level) {
    std::vector<bool> present(network.node_count(), !level || *level == 0);
    for (const Edge& edge : network.edges())
        if (level && exists_at(edge, *level)) present[edge.from] = present[edge.to] = true;
    return present;
}

bool is_own(const NetworkLook& look, EdgeId edge) {
    return !look.first_edge_below || edge < *look.first_edge_below;
}

NodeRole role_of(const NetworkLook& look, NodeId node) {
    return look.roles.empty() ? NodeRole::own : look.roles[node];
}

/// The edges to draw, from bottom to top: faint, faded, coarse, fine.
std::vector<EdgeId> edges_to_draw(const Network& network, const SchemaStyle& style, const NetworkLook& look) {
    std::vector<EdgeId> chosen;
    for (EdgeId id = 0; id < network.edge_count(); ++id) {
        const Edge& edge = network.edge(id);
        if (look.edges && style.shown[edge.layer] && (!look.level || exists_at(edge, *look.level)))
            chosen.push_back(id);
    }
    std::ranges::stable_sort(chosen, [&](EdgeId a, EdgeId b) {
        const auto rank = [&](EdgeId id) {
            const Edge& edge = network.edge(id);
            const bool highlighted = !look.highlight || exists_at(edge, *look.highlight);
            return std::tuple(is_own(look, id), highlighted, -static_cast<std::int64_t>(edge.first_level));
        };
        return rank(a) < rank(b);
    });
    return chosen;
}

/// The network of a panel, ready to be drawn.
struct Plan {
    const Network& network;
    const SchemaStyle& style;
    const NetworkLook& look;
    double radius;
    double line_scale;
    std::vector<NodeMark> marks;
    std::vector<Point> places;
    std::vector<EdgeId> edges;
    std::set<std::tuple<NodeId, NodeId, std::uint32_t>> drawn; ///< from, to, layer
};

Plan plan_of(const Frame& frame, const Network& network, const SchemaStyle& style, const NetworkLook& look) {
    Plan plan{
        network, style, look, mark_radius(frame, network) * look.mark_scale, line_scale(frame, network), {},
        {},      {},    {}};
    for (NodeId node = 0; node < network.node_count(); ++node) {
        plan.marks.push_back(mark_of(network.type(node), style));
        plan.places.push_back(frame(network.coordinate(node, 0), network.coordinate(node, 1)));
    }
    // The rings of anchors need more space than marks.
    const bool rings = std::ranges::find(look.roles, NodeRole::anchor) != look.roles.end();
    spread_marks(plan.places, plan.marks, plan.radius * (rings ? ring_size * 1.1 : 1));
    plan.edges = edges_to_draw(network, style, look);
    for (const EdgeId id : plan.edges) {
        const Edge& edge = network.edge(id);
        plan.drawn.emplace(edge.from, edge.to, edge.layer);
    }
    return plan;
}

void draw_edge(Svg& svg, const Plan& plan, EdgeId id) {
    const Edge& edge = plan.network.edge(id);
    const std::uint32_t levels = plan.look.levels > 0 ? plan.look.levels : plan.network.level_count();
    const bool vertical = plan.style.change_points && edge.layer % 2 == 1;
    const bool faded = plan.look.highlight && !exists_at(edge, *plan.look.highlight);
    const std::string colour = faded ? std::string(faded_colour) : level_colour(edge.first_level, levels);
    // A horizontal and a vertical edge between the same nodes share one line. If they have the same
    // direction, the vertical head is drawn behind the horizontal one.
    ArrowLook look;
    look.colour = colour;
    look.width = level_width(edge.first_level, levels) * plan.line_scale;
    look.open_head = vertical;
    look.dashed = plan.style.change_points && edge.layer >= static_cast<std::uint32_t>(Layer::spatial_h);
    look.set_back = vertical && plan.drawn.contains({edge.from, edge.to, edge.layer - 1});
    look.gap = plan.radius * 1.15;
    look.head = std::clamp(plan.radius / 6, 0.6, 1.5);

    Attributes attributes;
    const bool own = is_own(plan.look, id);
    attributes.set("class", !own    ? "edge below"
                            : faded ? "edge faded"
                                    : "edge")
        .set("data-edge", id)
        .set("data-layer", plan.network.schema().layers[edge.layer]);
    if (!own) attributes.set("opacity", below_opacity);
    const std::string tooltip =
        plan.look.tooltips
            ? fmt::format("{}: node {} to node {}, levels {} to {}", plan.network.schema().layers[edge.layer],
                          edge.from, edge.to, edge.first_level, edge.last_level)
            : std::string();
    draw_arrow(svg, plan.places[edge.from], plan.places[edge.to], look, attributes, tooltip);
}

std::string_view node_class(NodeRole role) {
    switch (role) {
    case NodeRole::own:
        return "node";
    case NodeRole::anchor:
        return "anchor";
    case NodeRole::below:
        return "node below";
    }
    return "node";
}

/// An anchor is drawn with the symbol of its type, in grey and within a ring.
void draw_anchor(Svg& svg, Point place, double radius, NodeMark mark, const Attributes& attributes) {
    const auto group = svg.group(attributes);
    svg.circle(place, radius * ring_size,
               Attributes().set("fill", "#fff").set("stroke", contour_colour).set("stroke-width", 1));
    mark.colour = contour_colour;
    draw_mark(svg, place, radius * 0.68, mark);
}

void draw_in_role(Svg& svg, Point place, double radius, const NodeMark& mark, NodeRole role,
                  Attributes attributes, std::string_view tooltip) {
    if (role == NodeRole::anchor) {
        draw_anchor(svg, place, radius, mark, attributes);
        return;
    }
    if (role == NodeRole::below) attributes.set("opacity", below_opacity);
    draw_mark(svg, place, radius, mark, std::move(attributes), tooltip);
}

void draw_node(Svg& svg, const Plan& plan, NodeId node, bool present) {
    const std::string& type = plan.network.schema().node_types[plan.network.type(node)];
    if (!present) {
        svg.circle(plan.places[node], plan.radius * 0.28,
                   Attributes().set("class", "removed").set("data-node", node).set("fill", "#b0b0b0"));
        return;
    }
    const std::string tooltip = plan.look.tooltips ? fmt::format("node {}: {} at ({}, {})", node, type,
                                                                 number(plan.network.coordinate(node, 0)),
                                                                 number(plan.network.coordinate(node, 1)))
                                                   : std::string();
    const NodeRole role = role_of(plan.look, node);
    Attributes attributes;
    attributes.set("class", node_class(role)).set("data-node", node).set("data-type", type);
    draw_in_role(svg, plan.places[node], plan.radius, plan.marks[node], role, std::move(attributes), tooltip);
}

} // namespace

Counts draw_marks(Svg& svg, const Frame& frame, const Network& network, const SchemaStyle& style,
                  const NetworkLook& look) {
    const Plan plan = plan_of(frame, network, style, look);
    Counts counts;
    counts.edges = plan.edges.size();
    {
        const auto edges = svg.group(Attributes().set("class", "edges").set("stroke-linejoin", "round"));
        for (const EdgeId id : plan.edges) draw_edge(svg, plan, id);
    }
    const std::vector<bool> present = nodes_at(network, look.level);
    const auto nodes = svg.group(Attributes().set("class", "nodes"));
    for (const NodeRole role : {NodeRole::below, NodeRole::anchor, NodeRole::own})
        for (NodeId node = 0; node < network.node_count(); ++node) {
            if (role_of(look, node) != role) continue;
            if (present[node]) ++counts.nodes;
            draw_node(svg, plan, node, present[node]);
        }
    return counts;
}

void draw_role_symbol(Svg& svg, Point centre, double radius, const NodeMark& mark, NodeRole role) {
    draw_in_role(svg, centre, radius, mark, role, {}, {});
}

} // namespace sprig::draw
