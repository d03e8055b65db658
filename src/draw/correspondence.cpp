#include "draw/correspondence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/legend.h"
#include "draw/network_marks.h"
#include "draw/palette.h"
#include "draw/panel.h"
#include "draw/placed.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

constexpr double pair_side = 250;
constexpr double between_frames = 40;
constexpr double between_pairs = 44;
constexpr double pair_width = (2 * pair_side) + between_frames;
constexpr double pair_caption_height = 78;
constexpr double pair_mark_size = 7;
constexpr std::size_t pair_columns = 2;

/// A pair of frames to be drawn.
struct Pair {
    const Correspondence& content;
    SchemaStyle style;
    Frame left;
    Frame right;
    PlacedPart found;
};

Point place_of(const Frame& frame, const Network& network, NodeId node) {
    return frame(network.coordinate(node, 0), network.coordinate(node, 1));
}

Pair pair_at(Point corner, const Correspondence& content) {
    const std::array<const Network*, 2> networks = {&content.pattern, &content.observed.network};
    const Window window = window_around(networks);
    return {content,
            schema_style(content.pattern.schema(), {.all_layers = true}),
            {corner, pair_side, window},
            {corner + Point{pair_side + between_frames, 0}, pair_side, window},
            placed_part(content.pattern, content.observed.network, content.placed)};
}

void draw_missing_edge(Svg& svg, Point from, Point to) {
    svg.line(from, to,
             Attributes()
                 .set("class", "missing-edge")
                 .set("stroke", soft_colour)
                 .set("stroke-width", 1.6)
                 .set("stroke-dasharray", "1.6 2.6"));
}

/// Edges of the pattern that were not found: dashed lines without a head, slightly offset, because another
/// edge of the same two nodes may have been found.
void draw_missing_edges(Svg& svg, const Pair& pair) {
    constexpr double aside = 5;
    const Network& pattern = pair.content.pattern;
    for (EdgeId id = 0; id < pattern.edge_count(); ++id) {
        if (std::ranges::binary_search(pair.found.edges, id)) continue;
        const Point from = place_of(pair.left, pattern, pattern.edge(id).from);
        const Point to = place_of(pair.left, pattern, pattern.edge(id).to);
        const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1.0);
        const Point shift = Point{from.y - to.y, to.x - from.x} * (aside / length);
        draw_missing_edge(svg, from + shift, to + shift);
    }
}

/// The pattern as learned; nodes without a match in outline.
void draw_pattern(Svg& svg, const Pair& pair) {
    const Network& pattern = pair.content.pattern;
    Network found(pattern.shared_schema());
    for (const NodeId node : pair.found.nodes)
        found.add_node(pattern.type(node), pattern.position(node), pattern.attributes(node));
    found.set_edges(pair.found.network.edges());
    draw_missing_edges(svg, pair);
    draw_marks(svg, pair.left, with_length_levels(found), pair.style,
               {.tooltips = false, .levels = length_steps, .mark_scale = 1.15});
    for (NodeId node = 0; node < pattern.node_count(); ++node)
        if (pair.content.placed[node] == no_node)
            draw_missing(svg, place_of(pair.left, pattern, node), pair_mark_size,
                         mark_of(pattern.type(node), pair.style));
}

/// Observed nodes that match nothing: small and grey.
void draw_unmatched(Svg& svg, const Pair& pair) {
    const Network& observed = pair.content.observed.network;
    for (NodeId node = 0; node < observed.node_count(); ++node) {
        if (std::ranges::find(pair.content.placed, node) != pair.content.placed.end()) continue;
        NodeMark mark = mark_of(observed.type(node), pair.style);
        mark.colour = contour_colour;
        draw_mark(svg, place_of(pair.right, observed, node), pair_mark_size * 0.62, mark,
                  Attributes().set("class", "unmatched"));
    }
}

bool is_chosen(const Pair& pair, const AmbiguousNode::Candidate& candidate) {
    return pair.content.placed[pair.content.ambiguous->node] == candidate.at;
}

void draw_ring(Svg& svg, Point centre, bool chosen, double radius = pair_mark_size * 1.6) {
    Attributes attributes;
    attributes.set("class", chosen ? "chosen" : "candidate").set("stroke", ink_colour);
    attributes.set("stroke-width", 1.2).set("fill", chosen ? "#bdbdbd" : "none");
    svg.circle(centre, radius, attributes);
}

void draw_match_line(Svg& svg, Point from, Point to, bool chosen, bool highlighted) {
    Attributes attributes;
    attributes.set("class", "match-line").set("stroke", highlighted ? soft_colour : faded_colour);
    attributes.set("stroke-width", 0.9);
    if (!chosen) attributes.set("stroke-dasharray", "4 3");
    svg.line(from, to, attributes);
}

/// From each node to its match, and from the ambiguous node to all its candidates.
void draw_match_lines(Svg& svg, const Pair& pair) {
    const Correspondence& content = pair.content;
    const auto from = [&](NodeId node) { return place_of(pair.left, content.pattern, node); };
    const auto to = [&](NodeId node) { return place_of(pair.right, content.observed.network, node); };
    for (const NodeId node : pair.found.nodes)
        draw_match_line(svg, from(node), to(content.placed[node]), true,
                        !content.ambiguous || content.ambiguous->node == node);
    if (!content.ambiguous) return;
    for (const AmbiguousNode::Candidate& candidate : content.ambiguous->candidates) {
        if (!is_chosen(pair, candidate))
            draw_match_line(svg, from(content.ambiguous->node), to(candidate.at), false, true);
        draw_ring(svg, to(candidate.at), is_chosen(pair, candidate));
    }
    draw_ring(svg, from(content.ambiguous->node), true);
}

/// Drawn last, so that nothing covers the labels.
void draw_candidate_labels(Svg& svg, const Pair& pair) {
    if (!pair.content.ambiguous) return;
    // Candidates are often side by side: labels of the left ones go to the left, the others to the right.
    double sum = 0;
    for (const AmbiguousNode::Candidate& candidate : pair.content.ambiguous->candidates)
        sum += pair.content.observed.network.coordinate(candidate.at, 0);
    const double middle = sum / static_cast<double>(pair.content.ambiguous->candidates.size());
    for (const AmbiguousNode::Candidate& candidate : pair.content.ambiguous->candidates) {
        const Point at = place_of(pair.right, pair.content.observed.network, candidate.at);
        const bool at_left = pair.content.observed.network.coordinate(candidate.at, 0) < middle;
        svg.text(at + Point{at_left ? -14.0 : 14.0, -7}, candidate.label, 11,
                 Attributes()
                     .set("text-anchor", at_left ? "end" : "start")
                     .set("font-weight", is_chosen(pair, candidate) ? "bold" : "normal")
                     .set("stroke", "#fff")
                     .set("stroke-width", 3)
                     .set("paint-order", "stroke"));
    }
}

void draw_caption(Svg& svg, const Pair& pair, std::size_t rank) {
    const Point at = pair.left.corner + Point{0, pair_side + 19};
    const std::string caption =
        fmt::format("({}) {}", static_cast<char>('a' + static_cast<char>(rank)), pair.content.caption);
    svg.text(at, fit_text(caption, caption_size * 1.05, pair_width), caption_size,
             Attributes().set("font-weight", "bold"));
    for (std::size_t i = 0; i < pair.content.notes.size(); ++i)
        svg.text(at + Point{0, 16 * (static_cast<double>(i) + 1)},
                 fit_text(pair.content.notes[i], count_size, pair_width), count_size,
                 Attributes().set("fill", soft_colour));
}

void draw_pair(Svg& svg, Point corner, const Correspondence& content, std::size_t rank) {
    const auto group = svg.group(Attributes().set("class", "correspondence"));
    const Pair pair = pair_at(corner, content);
    draw_shape(svg, pair.right, content.observed);
    draw_contours(svg, pair.right, content.observed.contours, 0.7);
    draw_frame(svg, pair.left);
    draw_frame(svg, pair.right);
    draw_match_lines(svg, pair);
    draw_pattern(svg, pair);
    draw_unmatched(svg, pair);
    draw_marks(svg, pair.right, with_length_levels(pair.found.network), pair.style,
               {.tooltips = false, .levels = length_steps, .mark_scale = 1.15});
    draw_candidate_labels(svg, pair);
    draw_caption(svg, pair, rank);
}

LegendBlock match_block(const SchemaStyle& style) {
    const auto line_entry = [](bool chosen, std::string meaning) {
        return LegendEntry{[chosen](Svg& svg, Point at) {
                               draw_match_line(svg, at - Point{13, 0}, at + Point{13, 0}, chosen, true);
                           },
                           std::move(meaning)};
    };
    LegendBlock block{"Left: learned pattern; right: image", {}, 1};
    block.entries.push_back(line_entry(true, "from a node to its match in the image"));
    block.entries.push_back(line_entry(false, "to another possible match"));
    block.entries.push_back(
        {[](Svg& svg, Point at) { draw_ring(svg, at, false, 7); }, "candidate: image node of the same type"});
    block.entries.push_back({[](Svg& svg, Point at) { draw_ring(svg, at, true, 7); }, "chosen candidate"});
    block.entries.push_back(
        {[=](Svg& svg, Point at) { draw_missing(svg, at, 5, mark_of(0, style)); }, "node without a match"});
    block.entries.push_back({[](Svg& svg, Point at) {
                                 draw_missing_edge(svg, at - Point{13, 0}, at + Point{13, 0});
                             },
                             "edge that was not found"});
    return block;
}

} // namespace

std::string draw_correspondences(std::span<const Correspondence> panels, const std::string& title,
                                 const std::vector<std::string>& notes) {
    if (panels.empty()) throw usage_error("there is no correspondence to draw");
    const std::size_t across = std::min(pair_columns, panels.size());
    const double width =
        (static_cast<double>(across) * (pair_width + between_pairs)) - between_pairs + (2 * margin);
    Svg svg;
    const double top = draw_heading(svg, width, title, notes);
    double bottom = top;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const std::size_t rows_above = i / across;
        const Point corner{margin + (static_cast<double>(i % across) * (pair_width + between_pairs)),
                           top + (static_cast<double>(rows_above) * (pair_side + pair_caption_height))};
        draw_pair(svg, corner, panels[i], i);
        bottom = corner.y + pair_side + pair_caption_height;
    }
    const Schema& schema = panels.front().pattern.schema();
    const SchemaStyle style = schema_style(schema, {.all_layers = true});
    std::vector<LegendBlock> blocks = {match_block(style)};
    std::ranges::move(
        network_legend(
            {.schema = schema, .style = style, .contours = false, .max_edge_length = max_edge_length}),
        std::back_inserter(blocks));
    const double legend = draw_legend(svg, {margin, bottom}, width - (2 * margin), std::move(blocks));
    return svg.finish(width, bottom + legend + margin, title,
                      format_count(panels.size(), "pattern") +
                          ", each beside the image it was matched with.");
}

} // namespace sprig::draw
