#include "draw/overlay.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "draw/layout.h"
#include "draw/legend.h"
#include "draw/palette.h"
#include "draw/panel.h"
#include "draw/placed.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

constexpr double caption_height = 46;
/// A node that fewer samples show is not missed.
constexpr double likely = 0.5;

Reading reading_for(const Overlay& overlay) {
    return reading_of(overlay.pattern.schema(), {.all_layers = true});
}

/// Light enough to lie behind, and still the image.
void draw_image(Svg& svg, const Frame& frame, const ConstructionFigure& seen) {
    if (seen.params.deskew) {
        draw_shape(svg, frame, seen);
        return;
    }
    const auto group = svg.group(Attributes().set("opacity", 0.22));
    draw_input(svg, frame, seen.input);
}

/// Where a node was expected and how far it may stray, and the way from there to where it lies.
void draw_stray(Svg& svg, const Frame& frame, const Overlay& overlay, NodeId node, const Reading& reading) {
    const std::string_view colour = mark_of(overlay.pattern.type(node), reading).colour;
    const Point expected = frame(overlay.pattern.coordinate(node, 0), overlay.pattern.coordinate(node, 1));
    const Network& seen = overlay.seen.network;
    const NodeId at = overlay.placed[node];
    const auto& spread = overlay.weights[node].spread;
    Attributes ellipse;
    ellipse.set("class", "spread").set("fill", colour).set("fill-opacity", 0.13);
    ellipse.set("cx", expected.x).set("cy", expected.y);
    ellipse.set("rx", spread[0] * frame.zoom()).set("ry", spread[1] * frame.zoom());
    svg.element("ellipse", ellipse);
    svg.line(expected, frame(seen.coordinate(at, 0), seen.coordinate(at, 1)),
             Attributes().set("class", "stray").set("stroke", colour).set("stroke-width", 0.9));
}

Point place_of(const Frame& frame, const Overlay& overlay, NodeId node) {
    const NodeId at = overlay.placed[node];
    const Network& network = at == no_node ? overlay.pattern : overlay.seen.network;
    const NodeId there = at == no_node ? node : at;
    return frame(network.coordinate(there, 0), network.coordinate(there, 1));
}

/// The edges that a unit asks for and that are not there, from where its nodes lie or should.
void draw_missing_edges(Svg& svg, const Frame& frame, const Overlay& overlay) {
    const PlacedPart part = placed_part(overlay.pattern, overlay.seen.network, overlay.placed);
    const auto own = overlay.below_from.value_or(static_cast<EdgeId>(overlay.pattern.edge_count()));
    for (EdgeId id = 0; id < own; ++id) {
        if (std::ranges::binary_search(part.edges, id)) continue;
        const Edge& edge = overlay.pattern.edge(id);
        svg.line(place_of(frame, overlay, edge.from), place_of(frame, overlay, edge.to),
                 Attributes()
                     .set("class", "missing-edge")
                     .set("stroke", contour_colour)
                     .set("stroke-width", 0.9)
                     .set("stroke-dasharray", "2.2 2.6"));
    }
}

void draw_worths(Svg& svg, const Frame& frame, const Overlay& overlay) {
    double most = 0;
    for (const double value : overlay.values) most = std::max(most, std::abs(value));
    for (NodeId node = 0; node < overlay.values.size(); ++node)
        if (overlay.placed[node] != no_node || is_missed(overlay, node))
            draw_worth(svg, place_of(frame, overlay, node), overlay.values[node], most, frame.size * 0.055);
}

/// What was found, with the roles that its nodes and edges have in the unit.
void draw_found(Svg& svg, const Frame& frame, const Overlay& overlay, const Reading& reading) {
    const PlacedPart part = placed_part(overlay.pattern, overlay.seen.network, overlay.placed);
    std::vector<NodeRole> roles;
    if (!overlay.roles.empty())
        for (const NodeId node : part.nodes) roles.push_back(overlay.roles[node]);
    NetworkLook look{.tooltips = false, .levels = range_steps, .roles = roles, .mark_scale = 1.25};
    if (overlay.below_from)
        look.below_from = static_cast<EdgeId>(std::ranges::lower_bound(part.edges, *overlay.below_from) -
                                              part.edges.begin());
    draw_marks(svg, frame, by_range(part.network), reading, look);
}

void draw_overlay(Svg& svg, const Frame& frame, const Overlay& overlay) {
    draw_overlay_picture(svg, frame, overlay);
    draw_frame(svg, frame);
    const Point at = frame.corner + Point{0, frame.size + 16};
    svg.text(at, fit_text(overlay.caption, count_size * 1.05, frame.size), count_size,
             Attributes().set("font-weight", "bold"));
    svg.text(at + Point{0, 14}, fit_text(overlay.record, 10.5, frame.size), 10.5,
             Attributes().set("fill", soft_colour));
}

/// The shape, and room for nodes that were expected farther out.
Window window_for(const Overlay& overlay) {
    Window window = window_around(overlay.seen);
    if (overlay.weights.empty()) return window;
    const double more = window.side * 0.1;
    return {window.left - more, window.top - more, window.side + (2 * more)};
}

/// As few rows as the columns allow, and all of them about equally long.
std::size_t balanced(std::size_t panels, std::size_t columns) {
    const std::size_t rows = (panels + columns - 1) / columns;
    return (panels + rows - 1) / rows;
}

LegendBlock unit_block(const Reading& reading, bool chains) {
    LegendBlock block{"Unit", {}, 1};
    const auto sign = [&](NodeRole role, std::string meaning) {
        block.entries.push_back(
            {[=](Svg& svg, Point at) { draw_role_sign(svg, at, 5, mark_of(0, reading), role); },
             std::move(meaning)});
    };
    sign(NodeRole::own, "node of the unit, where it was found");
    if (chains) {
        sign(NodeRole::anchor, "anchor: a node of a unit that it conditions");
        sign(NodeRole::below, "faint: the units that it conditions");
    }
    return block;
}

LegendBlock weighed_block(const Reading& reading) {
    LegendBlock block = unit_block(reading, false);
    block.entries.push_back(
        {[](Svg& svg, Point at) {
             Attributes ellipse;
             ellipse.set("fill", soft_colour).set("fill-opacity", 0.2).set("cx", at.x).set("cy", at.y);
             svg.element("ellipse", ellipse.set("rx", 11).set("ry", 6));
             svg.line(at, at + Point{12, -4}, Attributes().set("stroke", soft_colour));
         },
         "where it was expected (1 sd), and the way from there"});
    block.entries.push_back({[=](Svg& svg, Point at) { draw_missing(svg, at, 4.5, mark_of(0, reading)); },
                             "expected in most samples, and not found"});
    return block;
}

} // namespace

bool is_missed(const Overlay& overlay, NodeId node) {
    return overlay.placed[node] == no_node &&
           (overlay.weights.empty() || overlay.weights[node].presence >= likely);
}

void draw_worth(Svg& svg, Point centre, double value, double most, double largest) {
    constexpr double least_share = 0.01; // of the area: less cannot be seen
    if (most <= 0 || std::abs(value) < least_share * most) return;
    svg.circle(centre, largest * std::sqrt(std::abs(value) / most),
               Attributes()
                   .set("class", "worth")
                   .set("fill", value > 0 ? positive_colour : negative_colour)
                   .set("fill-opacity", 0.28));
}

void draw_overlay_picture(Svg& svg, const Frame& frame, const Overlay& overlay) {
    const auto group = svg.group(Attributes().set("class", "overlay"));
    const Reading reading = reading_for(overlay);
    draw_image(svg, frame, overlay.seen);
    draw_contours(svg, frame, overlay.seen.contours, 0.7);
    draw_worths(svg, frame, overlay);
    if (!overlay.weights.empty())
        for (NodeId node = 0; node < overlay.pattern.node_count(); ++node)
            if (overlay.placed[node] != no_node) draw_stray(svg, frame, overlay, node, reading);
    draw_missing_edges(svg, frame, overlay);
    for (NodeId node = 0; node < overlay.pattern.node_count(); ++node)
        if (is_missed(overlay, node))
            draw_missing(svg, frame(overlay.pattern.coordinate(node, 0), overlay.pattern.coordinate(node, 1)),
                         4.5, mark_of(overlay.pattern.type(node), reading));
    draw_found(svg, frame, overlay, reading);
}

std::vector<LegendBlock> overlay_legend(std::span<const Overlay> overlays) {
    const Reading reading = reading_for(overlays.front());
    const bool chains =
        std::ranges::any_of(overlays, [](const Overlay& overlay) { return overlay.below_from.has_value(); });
    const bool weighed =
        std::ranges::any_of(overlays, [](const Overlay& overlay) { return !overlay.weights.empty(); });
    const bool edges = std::ranges::any_of(
        overlays, [](const Overlay& overlay) { return overlay.pattern.edge_count() > 0; });
    std::vector<LegendBlock> blocks = {weighed ? weighed_block(reading) : unit_block(reading, chains)};
    std::vector<LegendBlock> network = network_legend({.schema = overlays.front().pattern.schema(),
                                                       .reading = reading,
                                                       .contours = false,
                                                       .level_colours = edges,
                                                       .farthest = farthest_range});
    if (!edges) network.resize(1); // what nodes mean
    std::ranges::move(network, std::back_inserter(blocks));
    return blocks;
}

std::string draw_overlays(std::span<const Overlay> overlays, const OverlayOptions& options) {
    if (overlays.empty() || options.columns == 0) throw usage_error("there are no units to draw on images");
    const double side = panel_side({.panel = options.panel}, options.panel);
    const std::size_t columns = balanced(overlays.size(), options.columns);
    const double row = (static_cast<double>(columns) * (side + panel_gap)) - panel_gap;
    const double width = std::max(row, legend_width) + (2 * margin);
    Svg svg;
    const double top = draw_heading(svg, width, options.title, options.notes);
    double bottom = top;
    for (std::size_t i = 0; i < overlays.size(); ++i) {
        const std::size_t rows_above = i / columns;
        const Point corner{margin + (static_cast<double>(i % columns) * (side + panel_gap)),
                           top + (static_cast<double>(rows_above) * (side + caption_height))};
        draw_overlay(svg, {corner, side, window_for(overlays[i])}, overlays[i]);
        bottom = corner.y + side + caption_height;
    }
    const double legend =
        draw_legend(svg, {margin, bottom + 6}, width - (2 * margin), overlay_legend(overlays));
    return svg.finish(width, bottom + 6 + legend + margin, options.title,
                      counted(overlays.size(), "unit") + ", each on an image in which it was found.");
}

} // namespace sprig::draw
