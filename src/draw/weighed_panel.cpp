#include "draw/weighed_panel.h"

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

// In units of the pattern: strokes of handwriting are some 3 px wide, and a contour runs through the middle
// of their outermost pixels, so that ink reaches half a px beyond it.
constexpr double ink_width = 2;
constexpr double ink_depth = 0.6;
constexpr double ink_opacity = 0.5;

bool is_finite(double value) {
    return std::isfinite(value);
}

bool is_sound(const NodeView& node) {
    const auto is_spread = [](double value) { return std::isfinite(value) && value >= 0; };
    return node.presence >= 0 && node.presence <= 1 && std::ranges::all_of(node.spread, is_spread) &&
           std::ranges::all_of(node.to_next, is_finite) && std::ranges::all_of(node.to_previous, is_finite);
}

/// How dark a thing is that is so likely. What is rather absent than present must not clutter the rest.
double darkness(double presence) {
    return std::clamp((presence - 0.15) / 0.65, 0.04, 1.0);
}

/// Strokes that are about equally likely, to be drawn as one path: where parts of one path overlap they are
/// no darker, so that ink looks even.
using StrokesByTwentieth = std::map<long, std::vector<const OutlineStroke*>>;

StrokesByTwentieth by_darkness(const std::vector<OutlineStroke>& strokes) {
    StrokesByTwentieth groups;
    for (const OutlineStroke& stroke : strokes)
        groups[std::max(std::lround(20 * darkness(stroke.weight)), 1L)].push_back(&stroke);
    return groups;
}
/// They point into the list, so it must outlive them.
StrokesByTwentieth by_darkness(std::vector<OutlineStroke>&& strokes) = delete;

/// The curve, moved towards the ink.
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

/// Soft: two of them, so that the middle is darker than the rim.
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

LegendBlock node_block(const Reading& reading) {
    LegendBlock block{"Node: where the contour turns, looking", {}, 2};
    for (int a = 0; a < reading.directions; ++a) {
        const std::string_view colour = direction_colour(a, reading.directions);
        const std::string degrees = number(180.0 * a / reading.directions) + "\xC2\xB0";
        std::string meaning = a == 0 ? "along x" : 2 * a == reading.directions ? "along y" : "at " + degrees;
        block.entries.push_back(
            {[colour](Svg& svg, Point at) { draw_dot(svg, at, 3, colour, 1); }, std::move(meaning)});
    }
    return block;
}

/// A short piece of outline with its ink above it, so likely.
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
                draw_strokes(svg, frame, groups, {"sign", ink_depth, 8, ink_opacity});
                draw_strokes(svg, frame, groups, {"sign", 0, 1.2, 1});
            },
            std::move(meaning)};
}

} // namespace

void check_weighed(const UnitView& unit) {
    if (unit.nodes.size() != unit.own_nodes)
        throw bad_input(fmt::format("unit {:016x} cannot be drawn: it has {} of its own, but weighs {}",
                                    unit.lineage, counted(unit.own_nodes, "node"), unit.nodes.size()));
    for (NodeId node = 0; node < unit.nodes.size(); ++node)
        if (!is_sound(unit.nodes[node]) || !std::ranges::all_of(unit.pattern.position(node), is_finite))
            throw bad_input(fmt::format(
                "unit {:016x} cannot be drawn: what it says of node {} makes no sense", unit.lineage, node));
}

void draw_weighed(Svg& svg, const Frame& frame, const UnitView& unit, const Reading& reading) {
    const std::vector<OutlineStroke> strokes = outline_of(unit, reading);
    const StrokesByTwentieth groups = by_darkness(strokes);
    const auto place = [&](NodeId node) {
        return frame(unit.pattern.coordinate(node, 0), unit.pattern.coordinate(node, 1));
    };
    const auto colour = [&](NodeId node) { return mark_of(unit.pattern.type(node), reading).colour; };
    const double scale = std::clamp(frame.size / 140, 0.6, 4.0);
    for (NodeId node = 0; node < unit.nodes.size(); ++node) {
        const NodeView& view = unit.nodes[node];
        draw_spread(svg, place(node), Point{view.spread[0], view.spread[1]} * frame.zoom(), colour(node),
                    darkness(view.presence));
    }
    if (reading.change_points)
        draw_strokes(svg, frame, groups, {"ink", ink_depth, ink_width * frame.zoom(), ink_opacity});
    draw_strokes(svg, frame, groups, {"outline", 0, 1.2 * scale, 1});
    for (NodeId node = 0; node < unit.nodes.size(); ++node)
        draw_dot(svg, place(node), 2 * scale, colour(node), unit.nodes[node].presence);
}

std::vector<LegendBlock> weighed_legend(const Reading& reading) {
    LegendBlock block{"Unit: what its samples have in common", {}, 1};
    block.entries.push_back(ink_entry(1, "outline and ink, as good as certain"));
    block.entries.push_back(ink_entry(0.35, "... in a third of its samples"));
    block.entries.push_back({[](Svg& svg, Point at) {
                                 draw_spread(svg, at, {11, 6}, soft_colour, 1);
                                 draw_dot(svg, at, 2, soft_colour, 1);
                             },
                             "node, and how far it strays (1 sd)"});
    block.entries.push_back(share_entry("share of its class's samples"));
    std::vector<LegendBlock> blocks = {std::move(block)};
    if (reading.change_points) blocks.push_back(node_block(reading));
    return blocks;
}

} // namespace sprig::draw
