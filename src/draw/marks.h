#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"
#include "sprig/draw.h"
#include "sprig/network.h"

namespace sprig::draw {

/// How networks of one schema are drawn.
struct SchemaStyle {
    bool change_points = false; ///< node types are ChangeKinds, layers are the front end's
    int directions = 0;
    std::vector<bool> shown; ///< by layer

    [[nodiscard]] bool shows_spatial() const;
};

/// Throws Error(usage) if the schema has fewer than two coordinates or not the requested layer.
[[nodiscard]] SchemaStyle schema_style(const Schema& schema, const DrawOptions& options);

/// The symbol of a node.
struct NodeMark {
    double angle = 0; ///< direction of the triangle, from x towards y
    std::string_view colour;
    bool filled = true;
    bool round = false; ///< a circle instead of a triangle, for types without a direction
};

[[nodiscard]] NodeMark mark_of(std::uint32_t type, const SchemaStyle& style);

void draw_mark(Svg& svg, Point centre, double radius, const NodeMark& mark, Attributes attributes = {},
               std::string_view tooltip = {});

/// Moves overlapping marks apart, so that two nodes at one position are visible as two.
void spread_marks(std::span<Point> places, std::span<const NodeMark> marks, double radius);

/// The appearance of an arrow.
struct ArrowLook {
    std::string_view colour;
    double width = 1;
    bool open_head = false; ///< hollow, for the vertical layers
    bool dashed = false;    ///< for the spatial layers
    bool set_back = false;  ///< leave space for another head in front
    double gap = 0;         ///< left free at both ends
    double head = 1;        ///< scale of the head
};

void draw_arrow(Svg& svg, Point from, Point to, const ArrowLook& look, Attributes attributes = {},
                std::string_view tooltip = {});

} // namespace sprig::draw
