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

/// A symbol and its meaning. The symbol is drawn around the given point, about 26 px wide.
struct LegendEntry {
    std::function<void(Svg&, Point)> symbol;
    std::string meaning;
};

/// A heading with entries under it, in one or more columns.
struct LegendBlock {
    std::string heading;
    std::vector<LegendEntry> entries;
    std::size_t columns = 1;
};

/// What the legend of a network explains.
struct LegendContent {
    const Schema& schema;
    const SchemaStyle& style;
    bool contours = true;
    bool removed_nodes = false;
    std::uint32_t levels = 0;  ///< 0: not the same for all networks
    bool level_colours = true; ///< false: all edges have one level
    /// If set, the colour of an edge means its length, up to this many px, instead of its level.
    std::optional<double> max_edge_length = {};
};

/// The minimum width of a legend.
inline constexpr double min_legend_width = 330;

[[nodiscard]] std::vector<LegendBlock> network_legend(const LegendContent& content);

/// Draws the legend below `corner`, wrapped to `width`. Returns its height.
double draw_legend(Svg& svg, Point corner, double width, std::vector<LegendBlock> blocks);
double draw_legend(Svg& svg, Point corner, double width, const LegendContent& content);

} // namespace sprig::draw
