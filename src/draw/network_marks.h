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

/// What a node is to the unit whose picture it stands in.
enum class NodeRole : std::uint8_t {
    own,
    anchor, ///< of a unit below, and where this one joins it: a grey ring
    below,  ///< of a unit below: faint
};

/// How a network is shown in a panel.
struct NetworkLook {
    bool edges = true;
    std::optional<std::uint32_t> level = {};     ///< only this level; removed nodes are dots
    std::optional<std::uint32_t> point_out = {}; ///< this level in colour, all else faded
    bool tooltips = true;
    std::uint32_t levels = 0; ///< among so many an edge's level gets its colour; 0: as many as there are
    std::span<const NodeRole> roles = {};  ///< by node; empty: all are the network's own
    std::optional<EdgeId> below_from = {}; ///< the edges from this one on belong to units below: faint
    double mark_scale = 1;
};

/// What a panel holds, for its caption.
struct Counts {
    std::size_t nodes = 0;
    std::size_t edges = 0;
};

Counts draw_marks(Svg& svg, const Frame& frame, const Network& network, const Reading& reading,
                  const NetworkLook& look);

/// The sign of a node in its role, for a legend.
void draw_role_sign(Svg& svg, Point centre, double radius, const NodeMark& mark, NodeRole role);

} // namespace sprig::draw
