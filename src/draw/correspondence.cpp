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

constexpr double side = 250;
constexpr double between_frames = 40;
constexpr double between_pairs = 44;
constexpr double pair_width = (2 * side) + between_frames;
constexpr double caption_height = 78;
constexpr double mark_size = 7;
constexpr std::size_t columns = 2;

/// One pair on its way to the paper.
struct Pair {
    const Correspondence& content;
    Reading reading;
    Frame left;
    Frame right;
    PlacedPart found;
};

Point place_of(const Frame& frame, const Network& network, NodeId node) {
    return frame(network.coordinate(node, 0), network.coordinate(node, 1));
}

Pair pair_at(Point corner, const Correspondence& content) {
    const std::array<const Network*, 2> networks = {&content.pattern, &content.seen.network};
    const Window window = window_around(networks);
    return {content,
            reading_of(content.pattern.schema(), {.all_layers = true}),
            {corner, side, window},
            {corner + Point{side + between_frames, 0}, side, window},
            placed_part(content.pattern, content.seen.network, content.placed)};
}

void draw_missing_edge(Svg& svg, Point from, Point to) {
    svg.line(from, to,
             Attributes()
                 .set("class", "missing-edge")
                 .set("stroke", soft_colour)
                 .set("stroke-width", 1.6)
                 .set("stroke-dasharray", "1.6 2.6"));
}

/// The relations that were looked for and not found: broken lines without a head, a little aside, since
/// another relation of the same two nodes may have been found.
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

/// The pattern where it was learned: what was placed as it is, the rest in outline.
void draw_pattern(Svg& svg, const Pair& pair) {
    const Network& pattern = pair.content.pattern;
    Network found(pattern.shared_schema());
    for (const NodeId node : pair.found.nodes)
        found.add_node(pattern.type(node), pattern.position(node), pattern.attributes(node));
    found.set_edges(pair.found.network.edges());
    draw_missing_edges(svg, pair);
    draw_marks(svg, pair.left, by_range(found), pair.reading,
               {.tooltips = false, .levels = range_steps, .mark_scale = 1.15});
    for (NodeId node = 0; node < pattern.node_count(); ++node)
        if (pair.content.placed[node] == no_node)
            draw_missing(svg, place_of(pair.left, pattern, node), mark_size,
                         mark_of(pattern.type(node), pair.reading));
}

/// What else was seen: small and grey, as it is not meant.
void draw_bystanders(Svg& svg, const Pair& pair) {
    const Network& seen = pair.content.seen.network;
    for (NodeId node = 0; node < seen.node_count(); ++node) {
        if (std::ranges::find(pair.content.placed, node) != pair.content.placed.end()) continue;
        NodeMark mark = mark_of(seen.type(node), pair.reading);
        mark.colour = contour_colour;
        draw_mark(svg, place_of(pair.right, seen, node), mark_size * 0.62, mark,
                  Attributes().set("class", "bystander"));
    }
}

bool is_chosen(const Pair& pair, const Dispute::Candidate& candidate) {
    return pair.content.placed[pair.content.dispute->node] == candidate.at;
}

void draw_ring(Svg& svg, Point centre, bool chosen, double radius = mark_size * 1.6) {
    Attributes attributes;
    attributes.set("class", chosen ? "chosen" : "candidate").set("stroke", ink_colour);
    attributes.set("stroke-width", 1.2).set("fill", chosen ? "#bdbdbd" : "none");
    svg.circle(centre, radius, attributes);
}

void draw_way(Svg& svg, Point from, Point to, bool chosen, bool meant) {
    Attributes attributes;
    attributes.set("class", "way").set("stroke", meant ? soft_colour : faded_colour);
    attributes.set("stroke-width", 0.9);
    if (!chosen) attributes.set("stroke-dasharray", "4 3");
    svg.line(from, to, attributes);
}

/// From each node to where it lies, and from a disputed one to where it might lie.
void draw_ways(Svg& svg, const Pair& pair) {
    const Correspondence& content = pair.content;
    const auto from = [&](NodeId node) { return place_of(pair.left, content.pattern, node); };
    const auto to = [&](NodeId node) { return place_of(pair.right, content.seen.network, node); };
    for (const NodeId node : pair.found.nodes)
        draw_way(svg, from(node), to(content.placed[node]), true,
                 !content.dispute || content.dispute->node == node);
    if (!content.dispute) return;
    for (const Dispute::Candidate& candidate : content.dispute->candidates) {
        if (!is_chosen(pair, candidate))
            draw_way(svg, from(content.dispute->node), to(candidate.at), false, true);
        draw_ring(svg, to(candidate.at), is_chosen(pair, candidate));
    }
    draw_ring(svg, from(content.dispute->node), true);
}

/// Last, so that nothing lies on the words.
void draw_candidate_words(Svg& svg, const Pair& pair) {
    if (!pair.content.dispute) return;
    // Candidates often lie side by side: to the left of the middle words go to the left, and else to the
    // right.
    double sum = 0;
    for (const Dispute::Candidate& candidate : pair.content.dispute->candidates)
        sum += pair.content.seen.network.coordinate(candidate.at, 0);
    const double middle = sum / static_cast<double>(pair.content.dispute->candidates.size());
    for (const Dispute::Candidate& candidate : pair.content.dispute->candidates) {
        const Point at = place_of(pair.right, pair.content.seen.network, candidate.at);
        const bool at_left = pair.content.seen.network.coordinate(candidate.at, 0) < middle;
        svg.text(at + Point{at_left ? -14.0 : 14.0, -7}, candidate.words, 11,
                 Attributes()
                     .set("text-anchor", at_left ? "end" : "start")
                     .set("font-weight", is_chosen(pair, candidate) ? "bold" : "normal")
                     .set("stroke", "#fff")
                     .set("stroke-width", 3)
                     .set("paint-order", "stroke"));
    }
}

void draw_words(Svg& svg, const Pair& pair, std::size_t rank) {
    const Point at = pair.left.corner + Point{0, side + 19};
    const std::string caption =
        fmt::format("({}) {}", static_cast<char>('a' + static_cast<char>(rank)), pair.content.caption);
    svg.text(at, fit_text(caption, caption_size * 1.05, pair_width), caption_size,
             Attributes().set("font-weight", "bold"));
    for (std::size_t i = 0; i < pair.content.record.size(); ++i)
        svg.text(at + Point{0, 16 * (static_cast<double>(i) + 1)},
                 fit_text(pair.content.record[i], count_size, pair_width), count_size,
                 Attributes().set("fill", soft_colour));
}

void draw_pair(Svg& svg, Point corner, const Correspondence& content, std::size_t rank) {
    const auto group = svg.group(Attributes().set("class", "correspondence"));
    const Pair pair = pair_at(corner, content);
    draw_shape(svg, pair.right, content.seen);
    draw_contours(svg, pair.right, content.seen.contours, 0.7);
    draw_frame(svg, pair.left);
    draw_frame(svg, pair.right);
    draw_ways(svg, pair);
    draw_pattern(svg, pair);
    draw_bystanders(svg, pair);
    draw_marks(svg, pair.right, by_range(pair.found.network), pair.reading,
               {.tooltips = false, .levels = range_steps, .mark_scale = 1.15});
    draw_candidate_words(svg, pair);
    draw_words(svg, pair, rank);
}

LegendBlock placement_block(const Reading& reading) {
    const auto way = [](bool chosen, std::string meaning) {
        return LegendEntry{[chosen](Svg& svg, Point at) {
                               draw_way(svg, at - Point{13, 0}, at + Point{13, 0}, chosen, true);
                           },
                           std::move(meaning)};
    };
    LegendBlock block{"Left: what was learned; right: what was seen", {}, 1};
    block.entries.push_back(way(true, "from a node to where it was placed"));
    block.entries.push_back(way(false, "to where it might have been placed, too"));
    block.entries.push_back({[](Svg& svg, Point at) { draw_ring(svg, at, false, 7); },
                             "candidate: a seen node of the same type"});
    block.entries.push_back(
        {[](Svg& svg, Point at) { draw_ring(svg, at, true, 7); }, "the one that was chosen"});
    block.entries.push_back({[=](Svg& svg, Point at) { draw_missing(svg, at, 5, mark_of(0, reading)); },
                             "node that was not placed"});
    block.entries.push_back({[](Svg& svg, Point at) {
                                 draw_missing_edge(svg, at - Point{13, 0}, at + Point{13, 0});
                             },
                             "relation that was not found"});
    return block;
}

} // namespace

std::string draw_correspondences(std::span<const Correspondence> panels, const std::string& title,
                                 const std::vector<std::string>& notes) {
    if (panels.empty()) throw usage_error("there is no correspondence to draw");
    const std::size_t across = std::min(columns, panels.size());
    const double width =
        (static_cast<double>(across) * (pair_width + between_pairs)) - between_pairs + (2 * margin);
    Svg svg;
    const double top = draw_heading(svg, width, title, notes);
    double bottom = top;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const std::size_t rows_above = i / across;
        const Point corner{margin + (static_cast<double>(i % across) * (pair_width + between_pairs)),
                           top + (static_cast<double>(rows_above) * (side + caption_height))};
        draw_pair(svg, corner, panels[i], i);
        bottom = corner.y + side + caption_height;
    }
    const Schema& schema = panels.front().pattern.schema();
    const Reading reading = reading_of(schema, {.all_layers = true});
    std::vector<LegendBlock> blocks = {placement_block(reading)};
    std::ranges::move(
        network_legend({.schema = schema, .reading = reading, .contours = false, .farthest = farthest_range}),
        std::back_inserter(blocks));
    const double legend = draw_legend(svg, {margin, bottom}, width - (2 * margin), std::move(blocks));
    return svg.finish(width, bottom + legend + margin, title,
                      counted(panels.size(), "pattern") + ", each beside what was seen.");
}

} // namespace sprig::draw
