#include "draw/weighted_panel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/outline.h"
#include "draw/palette.h"
#include "draw/unit_panel.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

// In units of the pattern. Handwritten strokes are about 3 px wide. A contour runs through the centres of the
// outermost pixels, so that the ink extends half a px beyond it.
constexpr double ink_width = 2;
constexpr double ink_depth = 0.6;
constexpr double ink_opacity = 0.5;

bool is_finite(double value) {
    return std::isfinite(value);
}

bool is_valid(const NodeView& node) {
    const auto is_spread = [](double value) { return std::isfinite(value) && value >= 0; };
    return node.presence >= 0 && node.presence <= 1 && std::ranges::all_of(node.spread, is_spread) &&
           std::ranges::all_of(node.to_next, is_finite) && std::ranges::all_of(node.to_previous, is_finite);
}

/// The darkness for a probability. Unlikely parts are nearly invisible.
double darkness(double presence) {
    return std::clamp((presence - 0.15) / 0.65, 0.04, 1.0);
}

/// Strokes of about the same probability, drawn as one path: overlapping parts of one path are not darker, so
/// that the ink looks even.
using StrokesByTwentieth = std::map<long, std::vector<const OutlineStroke*>>;

StrokesByTwentieth by_darkness(const std::vector<OutlineStroke>& strokes) {
    StrokesByTwentieth groups;
    for (const OutlineStroke& stroke : strokes)
        groups[std::max(std::lround(20 * darkness(stroke.weight)), 1L)].push_back(&stroke);
    return groups;
}
/// The result refers to the list.
StrokesByTwentieth by_darkness(std::vector<OutlineStroke>&& strokes) = delete;

/// Adds the curve, moved towards the ink.
void add_stroke(PathData& path, const Frame& frame, const OutlineStroke& stroke, double depth) {
    const auto place = [&](Point point, Point inward) {
        const Point moved = point + inward * depth;
        return frame(moved.x, moved.y);
    };
    path.move(place(stroke.begin, stroke.begin_inward))
        .curve(place(stroke.first_control, stroke.begin_inward),
               place(stroke.second_control, stroke.end_inward), place(stroke.end, stroke.end_inward));
}

struct StrokeLook {
    std::string_view name;
    double depth = 0;
    double width = 1;
    double opacity = 1;
};

void draw_strokes(Svg& svg, const Frame& frame, const StrokesByTwentieth& groups, const StrokeLook& look) {
    const auto group = svg.group(Attributes()
                                     .set("class", look.name)
                                     .set("fill", "none")
                                     .set("stroke", ink_colour)
                                     .set("stroke-width", look.width)
                                     .set("stroke-linecap", "round"));
    for (const auto& [twentieths, strokes] : groups) {
        PathData path;
        for (const OutlineStroke* stroke : strokes) add_stroke(path, frame, *stroke, look.depth);
        svg.path(path,
                 Attributes().set("stroke-opacity", look.opacity * static_cast<double>(twentieths) / 20));
    }
}

void draw_ellipse(Svg& svg, Point centre, Point radii, Attributes attributes) {
    attributes.set("cx", centre.x).set("cy", centre.y).set("rx", radii.x).set("ry", radii.y);
    svg.element("ellipse", attributes);
}

/// Two ellipses, so that the middle is darker than the rim.
void draw_spread(Svg& svg, Point centre, Point radii, std::string_view colour, double dark) {
    for (const double part : {1.0, 0.55})
        draw_ellipse(
            svg, centre, radii * part,
            Attributes().set("class", "spread").set("fill", colour).set("fill-opacity", 0.13 * dark));
}

void draw_dot(Svg& svg, Point centre, double radius, std::string_view colour, double presence) {
    svg.circle(centre, radius * (0.5 + (0.5 * presence)),
               Attributes().set("class", "node").set("fill", colour).set("fill-opacity", darkness(presence)));
}

LegendBlock node_block(const SchemaStyle& style) {
    LegendBlock block{"Node: a turning point of the contour", {}, 2};
    for (int a = 0; a < style.directions; ++a) {
        const std::string_view colour = direction_colour(a, style.directions);
        const std::string degrees = number(180.0 * a / style.directions) + "\xC2\xB0";
        std::string meaning = a == 0 ? "along x" : 2 * a == style.directions ? "along y" : "at " + degrees;
        block.entries.push_back(
            {[colour](Svg& svg, Point at) { draw_dot(svg, at, 3, colour, 1); }, std::move(meaning)});
    }
    return block;
}

/// A short piece of outline with its ink.
LegendEntry ink_entry(double presence, std::string meaning) {
    return {[presence](Svg& svg, Point at) {
                std::vector<OutlineStroke> strokes(1);
                OutlineStroke& stroke = strokes.front();
                stroke.begin = stroke.first_control = {0, 0};
                stroke.end = stroke.second_control = {4, 0};
                stroke.begin_inward = stroke.end_inward = {0, -1};
                stroke.weight = presence;
                const Frame frame{at - Point{10, -4}, 5, {0, 0, 1}};
                const StrokesByTwentieth groups = by_darkness(strokes);
                draw_strokes(svg, frame, groups, {"symbol", ink_depth, 8, ink_opacity});
                draw_strokes(svg, frame, groups, {"symbol", 0, 1.2, 1});
            },
            std::move(meaning)};
}

} // namespace

void check_weighted(const UnitView& unit) {
    if (unit.nodes.size() != unit.own_nodes)
        throw bad_input(fmt::format("cannot draw unit {:016x}: it has {} of its own, but statistics of {}",
                                    unit.lineage, format_count(unit.own_nodes, "node"), unit.nodes.size()));
    for (NodeId node = 0; node < unit.nodes.size(); ++node)
        if (!is_valid(unit.nodes[node]) || !std::ranges::all_of(unit.pattern.position(node), is_finite))
            throw bad_input(fmt::format("cannot draw unit {:016x}: the statistics of node {} are invalid",
                                        unit.lineage, node));
}

void draw_weighted(Svg& svg, const Frame& frame, const UnitView& unit, const SchemaStyle& style) {
    const std::vector<OutlineStroke> strokes = outline_of(unit, style);
    const StrokesByTwentieth groups = by_darkness(strokes);
    const auto place = [&](NodeId node) {
        return frame(unit.pattern.coordinate(node, 0), unit.pattern.coordinate(node, 1));
    };
    const auto colour = [&](NodeId node) { return mark_of(unit.pattern.type(node), style).colour; };
    const double scale = std::clamp(frame.size / 140, 0.6, 4.0);
    for (NodeId node = 0; node < unit.nodes.size(); ++node) {
        const NodeView& view = unit.nodes[node];
        draw_spread(svg, place(node), Point{view.spread[0], view.spread[1]} * frame.zoom(), colour(node),
                    darkness(view.presence));
    }
    if (style.change_points)
        draw_strokes(svg, frame, groups, {"ink", ink_depth, ink_width * frame.zoom(), ink_opacity});
    draw_strokes(svg, frame, groups, {"outline", 0, 1.2 * scale, 1});
    for (NodeId node = 0; node < unit.nodes.size(); ++node)
        draw_dot(svg, place(node), 2 * scale, colour(node), unit.nodes[node].presence);
}

std::vector<LegendBlock> weighted_legend(const SchemaStyle& style) {
    LegendBlock block{"Unit: a pattern learned from similar samples", {}, 1};
    block.entries.push_back(ink_entry(1, "dark: outline and ink in all its samples"));
    block.entries.push_back(ink_entry(0.35, "faint: in a third of its samples"));
    block.entries.push_back({[](Svg& svg, Point at) {
                                 draw_spread(svg, at, {11, 6}, soft_colour, 1);
                                 draw_dot(svg, at, 2, soft_colour, 1);
                             },
                             "node, and its spread (1 sd)"});
    block.entries.push_back(share_entry("share of the samples of its class"));
    std::vector<LegendBlock> blocks = {std::move(block)};
    if (style.change_points) blocks.push_back(node_block(style));
    return blocks;
}

} // namespace sprig::draw
