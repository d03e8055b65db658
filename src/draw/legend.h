#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "draw/marks.h"
#include "draw/svg.h"
#include "sprig/network.h"

namespace sprig::draw {

/// A sign and what it means. The sign is drawn around the point it is given, some 26 px wide.
struct LegendEntry {
    std::function<void(Svg&, Point)> sign;
    std::string meaning;
};

/// A heading with entries under it, in one or more columns.
struct LegendBlock {
    std::string heading;
    std::vector<LegendEntry> entries;
    std::size_t columns = 1;
};

/// What a network's legend has to explain.
struct LegendContent {
    const Schema& schema;
    const Reading& reading;
    bool contours = true;
    bool removed_nodes = false;
    std::uint32_t levels = 0;  ///< 0: the number is not the same everywhere
    bool level_colours = true; ///< or all edges are of one level
    /// If given, the colour of an edge tells how far it reaches, up to so many px, and not its level.
    std::optional<double> farthest = {};
};

/// The least width in which a legend can stand.
inline constexpr double legend_width = 330;

[[nodiscard]] std::vector<LegendBlock> network_legend(const LegendContent& content);

/// Draws the legend from `corner` down, in as many rows as `width` asks for; returns its height.
double draw_legend(Svg& svg, Point corner, double width, std::vector<LegendBlock> blocks);
double draw_legend(Svg& svg, Point corner, double width, const LegendContent& content);

} // namespace sprig::draw
