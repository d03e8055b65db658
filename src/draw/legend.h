#pragma once

#include <cstdint>

#include "draw/marks.h"
#include "draw/svg.h"
#include "sprig/network.h"

namespace sprig::draw {

/// What a legend has to explain.
struct LegendContent {
    const Schema& schema;
    const Reading& reading;
    bool contours = true;
    bool removed_nodes = false;
    std::uint32_t levels = 0; ///< 0: the number is not the same everywhere
};

/// The least width in which a legend can stand.
inline constexpr double legend_width = 330;

/// Draws the legend from `corner` down, in as many rows as `width` asks for; returns its height.
double draw_legend(Svg& svg, Point corner, double width, const LegendContent& content);

} // namespace sprig::draw
