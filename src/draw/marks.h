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

/// How the networks of one schema are read and which of their layers are drawn.
struct Reading {
    bool change_points = false; ///< node types are ChangeKinds, layers are the front end's
    int directions = 0;
    std::vector<bool> shown; ///< per layer

    [[nodiscard]] bool shows_spatial() const;
};

/// Throws Error(usage) if the schema has fewer than two coordinates or lacks the layer asked for.
[[nodiscard]] Reading reading_of(const Schema& schema, const DrawOptions& options);

/// How the mark of a node looks.
struct NodeMark {
    double angle = 0; ///< where its triangle points, from x towards y
    std::string_view colour;
    bool filled = true;
    bool round = false; ///< a circle instead: a type that says nothing of a direction
};

[[nodiscard]] NodeMark mark_of(std::uint32_t type, const Reading& reading);

void draw_mark(Svg& svg, Point centre, double radius, const NodeMark& mark, Attributes attributes = {},
               std::string_view tooltip = {});

/// Moves marks that lie on each other a little apart, so that two changes in one place are seen as two.
void spread_marks(std::span<Point> places, std::span<const NodeMark> marks, double radius);

/// What an arrow is made of.
struct ArrowLook {
    std::string_view colour;
    double width = 1;
    bool open_head = false; ///< hollow, for the vertical layers
    bool dashed = false;    ///< for the spatial layers
    bool set_back = false;  ///< the head leaves room for another one before it
    double gap = 0;         ///< left free at both ends
    double head = 1;        ///< scale of the head
};

void draw_arrow(Svg& svg, Point from, Point to, const ArrowLook& look, Attributes attributes = {},
                std::string_view tooltip = {});

} // namespace sprig::draw
