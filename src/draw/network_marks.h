#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "draw/marks.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/network.h"

namespace sprig::draw {

/// The role of a node in the unit that is drawn.
enum class NodeRole : std::uint8_t {
    own,
    anchor, ///< a node of a target unit that this unit has edges to: a grey ring
    below,  ///< another node of the target units: faint
};

/// How a network is shown in a panel.
struct NetworkLook {
    bool edges = true;
    std::optional<std::uint32_t> level = {};     ///< draw only this level; removed nodes are dots
    std::optional<std::uint32_t> highlight = {}; ///< draw this level in colour, all else faded
    bool tooltips = true;
    std::uint32_t levels = 0;             ///< number of levels of the colour scale; 0: that of the network
    std::span<const NodeRole> roles = {}; ///< by node; empty: all are `own`
    std::optional<EdgeId> first_edge_below = {}; ///< the edges from this one on belong to target units: faint
    double mark_scale = 1;
};

/// What was drawn, for the caption.
struct Counts {
    std::size_t nodes = 0;
    std::size_t edges = 0;
};

Counts draw_marks(Svg& svg, const Frame& frame, const Network& network, const SchemaStyle& style,
                  const NetworkLook& look);

/// The symbol of a node in its role, for a legend.
void draw_role_symbol(Svg& svg, Point centre, double radius, const NodeMark& mark, NodeRole role);

} // namespace sprig::draw
