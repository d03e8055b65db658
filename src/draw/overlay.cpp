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

constexpr double overlay_caption_height = 46;
/// Nodes that are less likely are not drawn as missing.
constexpr double likely_presence = 0.5;

SchemaStyle style_for(const Overlay& overlay) {
    return schema_style(overlay.pattern.schema(), {.all_layers = true});
}

/// The image, light enough for a background.
void draw_image(Svg& svg, const Frame& frame, const ConstructionFigure& observed) {
    if (observed.params.deskew) {
        draw_shape(svg, frame, observed);
        return;
    }
    const auto group = svg.group(Attributes().set("opacity", 0.22));
    draw_input(svg, frame, observed.input);
}

/// The expected position of a node with its spread, and the offset of the node from it.
void draw_offset(Svg& svg, const Frame& frame, const Overlay& overlay, NodeId node,
                 const SchemaStyle& style) {
    const std::string_view colour = mark_of(overlay.pattern.type(node), style).colour;
    const Point expected = frame(overlay.pattern.coordinate(node, 0), overlay.pattern.coordinate(node, 1));
    const Network& observed = overlay.observed.network;
    const NodeId at = overlay.placed[node];
    const auto& spread = overlay.weights[node].spread;
    Attributes ellipse;
    ellipse.set("class", "spread").set("fill", colour).set("fill-opacity", 0.13);
    ellipse.set("cx", expected.x).set("cy", expected.y);
    ellipse.set("rx", spread[0] * frame.zoom()).set("ry", spread[1] * frame.zoom());
    svg.element("ellipse", ellipse);
    svg.line(expected, frame(observed.coordinate(at, 0), observed.coordinate(at, 1)),
             Attributes().set("class", "offset").set("stroke", colour).set("stroke-width", 0.9));
}

Point place_of(const Frame& frame, const Overlay& overlay, NodeId node) {
    const NodeId at = overlay.placed[node];
    const Network& network = at == no_node ? overlay.pattern : overlay.observed.network;
    const NodeId there = at == no_node ? node : at;
    return frame(network.coordinate(there, 0), network.coordinate(there, 1));
}

/// The expected edges that were not found, between the positions of their nodes.
void draw_missing_edges(Svg& svg, const Frame& frame, const Overlay& overlay) {
    const PlacedPart part = placed_part(overlay.pattern, overlay.observed.network, overlay.placed);
    const auto own = overlay.first_edge_below.value_or(static_cast<EdgeId>(overlay.pattern.edge_count()));
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

void draw_value_discs(Svg& svg, const Frame& frame, const Overlay& overlay) {
    double most = 0;
    for (const double value : overlay.values) most = std::max(most, std::abs(value));
    for (NodeId node = 0; node < overlay.values.size(); ++node)
        if (overlay.placed[node] != no_node || is_missing(overlay, node))
            draw_value_disc(svg, place_of(frame, overlay, node), overlay.values[node], most,
                            frame.size * 0.055);
}

/// The found nodes and edges, in their roles.
void draw_found(Svg& svg, const Frame& frame, const Overlay& overlay, const SchemaStyle& style) {
    const PlacedPart part = placed_part(overlay.pattern, overlay.observed.network, overlay.placed);
    std::vector<NodeRole> roles;
    if (!overlay.roles.empty())
        for (const NodeId node : part.nodes) roles.push_back(overlay.roles[node]);
    NetworkLook look{.tooltips = false, .levels = length_steps, .roles = roles, .mark_scale = 1.25};
    if (overlay.first_edge_below)
        look.first_edge_below = static_cast<EdgeId>(
            std::ranges::lower_bound(part.edges, *overlay.first_edge_below) - part.edges.begin());
    draw_marks(svg, frame, with_length_levels(part.network), style, look);
}

void draw_overlay(Svg& svg, const Frame& frame, const Overlay& overlay) {
    draw_overlay_picture(svg, frame, overlay);
    draw_frame(svg, frame);
    const Point at = frame.corner + Point{0, frame.size + 16};
    svg.text(at, fit_text(overlay.caption, count_size * 1.05, frame.size), count_size,
             Attributes().set("font-weight", "bold"));
    svg.text(at + Point{0, 14}, fit_text(overlay.note, 10.5, frame.size), 10.5,
             Attributes().set("fill", soft_colour));
}

/// The shape, with a margin for expected nodes farther out.
Window window_for(const Overlay& overlay) {
    Window window = window_around(overlay.observed);
    if (overlay.weights.empty()) return window;
    const double more = window.side * 0.1;
    return {window.left - more, window.top - more, window.side + (2 * more)};
}

/// The number of columns that makes all rows about equally long.
std::size_t balanced_columns(std::size_t panels, std::size_t columns) {
    const std::size_t rows = (panels + columns - 1) / columns;
    return (panels + rows - 1) / rows;
}

LegendBlock unit_block(const SchemaStyle& style, bool chains) {
    LegendBlock block{"Unit: a learned pattern", {}, 1};
    const auto add = [&](NodeRole role, std::string meaning) {
        block.entries.push_back(
            {[=](Svg& svg, Point at) { draw_role_symbol(svg, at, 5, mark_of(0, style), role); },
             std::move(meaning)});
    };
    add(NodeRole::own, "node of the unit, where it was found");
    if (chains) {
        add(NodeRole::anchor, "anchor: a node shared with its target unit");
        add(NodeRole::below, "faint: its target units");
    }
    return block;
}

LegendBlock weighted_block(const SchemaStyle& style) {
    LegendBlock block = unit_block(style, false);
    block.entries.push_back(
        {[](Svg& svg, Point at) {
             Attributes ellipse;
             ellipse.set("fill", soft_colour).set("fill-opacity", 0.2).set("cx", at.x).set("cy", at.y);
             svg.element("ellipse", ellipse.set("rx", 11).set("ry", 6));
             svg.line(at, at + Point{12, -4}, Attributes().set("stroke", soft_colour));
         },
         "expected position (1 sd), and the offset from it"});
    block.entries.push_back({[=](Svg& svg, Point at) { draw_missing(svg, at, 4.5, mark_of(0, style)); },
                             "missing node: present in most samples"});
    return block;
}

} // namespace

bool is_missing(const Overlay& overlay, NodeId node) {
    return overlay.placed[node] == no_node &&
           (overlay.weights.empty() || overlay.weights[node].presence >= likely_presence);
}

void draw_value_disc(Svg& svg, Point centre, double value, double most, double largest) {
    constexpr double least_share = 0.01; // smaller discs are not visible
    if (most <= 0 || std::abs(value) < least_share * most) return;
    svg.circle(centre, largest * std::sqrt(std::abs(value) / most),
               Attributes()
                   .set("class", "value-disc")
                   .set("fill", value > 0 ? positive_colour : negative_colour)
                   .set("fill-opacity", 0.28));
}

void draw_overlay_picture(Svg& svg, const Frame& frame, const Overlay& overlay) {
    const auto group = svg.group(Attributes().set("class", "overlay"));
    const SchemaStyle style = style_for(overlay);
    draw_image(svg, frame, overlay.observed);
    draw_contours(svg, frame, overlay.observed.contours, 0.7);
    draw_value_discs(svg, frame, overlay);
    if (!overlay.weights.empty())
        for (NodeId node = 0; node < overlay.pattern.node_count(); ++node)
            if (overlay.placed[node] != no_node) draw_offset(svg, frame, overlay, node, style);
    draw_missing_edges(svg, frame, overlay);
    for (NodeId node = 0; node < overlay.pattern.node_count(); ++node)
        if (is_missing(overlay, node))
            draw_missing(svg, frame(overlay.pattern.coordinate(node, 0), overlay.pattern.coordinate(node, 1)),
                         4.5, mark_of(overlay.pattern.type(node), style));
    draw_found(svg, frame, overlay, style);
}

std::vector<LegendBlock> overlay_legend(std::span<const Overlay> overlays) {
    const SchemaStyle style = style_for(overlays.front());
    const bool chains = std::ranges::any_of(
        overlays, [](const Overlay& overlay) { return overlay.first_edge_below.has_value(); });
    const bool weighted =
        std::ranges::any_of(overlays, [](const Overlay& overlay) { return !overlay.weights.empty(); });
    const bool edges = std::ranges::any_of(
        overlays, [](const Overlay& overlay) { return overlay.pattern.edge_count() > 0; });
    std::vector<LegendBlock> blocks = {weighted ? weighted_block(style) : unit_block(style, chains)};
    std::vector<LegendBlock> network = network_legend({.schema = overlays.front().pattern.schema(),
                                                       .style = style,
                                                       .contours = false,
                                                       .level_colours = edges,
                                                       .max_edge_length = max_edge_length});
    if (!edges) network.resize(1); // only the nodes
    std::ranges::move(network, std::back_inserter(blocks));
    return blocks;
}

std::string draw_overlays(std::span<const Overlay> overlays, const OverlayOptions& options) {
    if (overlays.empty() || options.columns == 0) throw usage_error("there are no units to draw");
    const double side = panel_side({.panel = options.panel}, options.panel);
    const std::size_t columns = balanced_columns(overlays.size(), options.columns);
    const double row = (static_cast<double>(columns) * (side + panel_gap)) - panel_gap;
    const double width = std::max(row, min_legend_width) + (2 * margin);
    Svg svg;
    const double top = draw_heading(svg, width, options.title, options.notes);
    double bottom = top;
    for (std::size_t i = 0; i < overlays.size(); ++i) {
        const std::size_t rows_above = i / columns;
        const Point corner{margin + (static_cast<double>(i % columns) * (side + panel_gap)),
                           top + (static_cast<double>(rows_above) * (side + overlay_caption_height))};
        draw_overlay(svg, {corner, side, window_for(overlays[i])}, overlays[i]);
        bottom = corner.y + side + overlay_caption_height;
    }
    const double legend =
        draw_legend(svg, {margin, bottom + 6}, width - (2 * margin), overlay_legend(overlays));
    return svg.finish(width, bottom + 6 + legend + margin, options.title,
                      format_count(overlays.size(), "unit") + ", each on an image in which it was found.");
}

} // namespace sprig::draw
