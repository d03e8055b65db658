#include "draw/marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "draw/palette.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

Point towards(double angle) {
    return {std::cos(angle), std::sin(angle)};
}

/// Limits how far a mark is moved from its original position.
Point limit_distance(Point place, Point original, double farthest) {
    const double distance = length(place - original);
    return distance <= farthest ? place : original + (place - original) * (farthest / distance);
}

/// The direction that separates two marks: away from each other, or where they point if they coincide.
Point separating_direction(Point between, const NodeMark& mark, const NodeMark& other) {
    if (length(between) > 1e-6) return between * (1 / length(between));
    const Point pointing = towards(mark.angle) - towards(other.angle);
    return length(pointing) > 1e-6 ? pointing * (1 / length(pointing)) : Point{0, 1};
}

/// A dashed shaft is drawn in pieces, because a dash array would apply to the head as well.
void add_shaft(PathData& outline, Point from, Point to, bool dashed) {
    constexpr double dash = 4;
    constexpr double period = 6.5;
    const double whole = length(to - from);
    if (!dashed || whole < period) {
        outline.move(from).line(to);
        return;
    }
    const Point along = (to - from) * (1 / whole);
    for (int i = 0; i * period < whole; ++i)
        outline.move(from + along * (i * period)).line(from + along * std::min((i * period) + dash, whole));
}

} // namespace

bool SchemaStyle::shows_spatial() const {
    return change_points && (shown[static_cast<std::size_t>(Layer::spatial_h)] ||
                             shown[static_cast<std::size_t>(Layer::spatial_v)]);
}

SchemaStyle schema_style(const Schema& schema, const DrawOptions& options) {
    if (schema.dimensions < 2)
        throw usage_error(
            fmt::format("cannot draw a network of {} coordinate: it needs at least two", schema.dimensions));
    SchemaStyle style;
    style.change_points = schema.layers.size() == layer_count && schema.node_types.size() >= 8 &&
                          schema.node_types.size() % 4 == 0;
    style.directions = style.change_points ? static_cast<int>(schema.node_types.size() / 4) : 0;
    if (options.layer) {
        const auto layer = static_cast<std::size_t>(*options.layer);
        if (layer >= schema.layers.size())
            throw usage_error(
                fmt::format("the network has no layer {}: it has {}", layer, schema.layers.size()));
        style.shown.assign(schema.layers.size(), false);
        style.shown[layer] = true;
    } else {
        style.shown.assign(schema.layers.size(), true);
        if (style.change_points && !options.all_layers)
            std::fill(style.shown.begin() + static_cast<int>(Layer::spatial_h), style.shown.end(), false);
    }
    return style;
}

NodeMark mark_of(std::uint32_t type, const SchemaStyle& style) {
    if (!style.change_points) return {.angle = 0, .colour = category_colour(type), .round = true};
    const ChangeKind kind = ChangeKind::from_index(type);
    const double axis = std::numbers::pi * kind.direction / style.directions;
    return {.angle = kind.maximum ? axis : axis + std::numbers::pi,
            .colour = direction_colour(kind.direction, style.directions),
            .filled = kind.convex};
}

void draw_mark(Svg& svg, Point centre, double radius, const NodeMark& mark, Attributes attributes,
               std::string_view tooltip) {
    // A white rim separates a mark from the edges and marks under it.
    attributes.set("fill", mark.filled ? mark.colour : "#fff")
        .set("stroke", mark.filled ? "#fff" : mark.colour)
        .set("stroke-width", radius * (mark.filled ? 0.16 : 0.3))
        .set("stroke-linejoin", "round");
    if (mark.round) {
        svg.circle(centre, radius * 0.8, attributes, tooltip);
        return;
    }
    // Hollow marks are smaller by half their line width, so that both kinds look equally large.
    const double reach = mark.filled ? radius * 1.15 : radius;
    const std::array<Point, 3> corners = {centre + towards(mark.angle) * reach,
                                          centre + towards(mark.angle + 2.3) * reach,
                                          centre + towards(mark.angle - 2.3) * reach};
    svg.path(PathData().polygon(corners), attributes, tooltip);
}

void spread_marks(std::span<Point> places, std::span<const NodeMark> marks, double radius) {
    constexpr int rounds = 8;
    const double clear = radius * 1.45;
    const double farthest = radius * 1.1;
    const std::vector<Point> original(places.begin(), places.end());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t k = i + 1; k < places.size(); ++k) {
                const double distance = length(places[i] - places[k]);
                if (distance >= clear) continue;
                const Point push = separating_direction(places[i] - places[k], marks[i], marks[k]) *
                                   ((clear - distance) / 2);
                places[i] = limit_distance(places[i] + push, original[i], farthest);
                places[k] = limit_distance(places[k] - push, original[k], farthest);
            }
}

void draw_arrow(Svg& svg, Point from, Point to, const ArrowLook& look, Attributes attributes,
                std::string_view tooltip) {
    const double distance = length(to - from);
    const Point along = distance > 1e-9 ? (to - from) * (1 / distance) : Point{1, 0};
    const Point across{-along.y, along.x};
    const double gap = std::min(look.gap, distance * 0.3);
    // A short arrow has a short head, but long enough to show its direction.
    const double head = look.head * std::clamp((distance - 2 * gap) * 0.6, 2.5, 3.6 + (1.3 * look.width));
    const Point tip = to - along * (gap + (look.set_back ? head * 1.1 : 0));
    const Point base = tip - along * head;
    const std::array<Point, 3> corners = {tip, base + across * (head * 0.42), base - across * (head * 0.42)};

    PathData outline;
    add_shaft(outline, from + along * (gap * 0.8), base, look.dashed);
    outline.polygon(corners);
    attributes.set("stroke", look.colour)
        .set("stroke-width", look.width)
        .set("fill", look.open_head ? "#fff" : look.colour);
    svg.path(outline, attributes, tooltip);
}

} // namespace sprig::draw
