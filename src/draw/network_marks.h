#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "draw/marks.h"
#include "draw/panel.h"
#include "draw/svg.h"
#include "sprig/network.h"

namespace sprig::draw {

/// How a network is shown in a panel.
struct NetworkLook {
    bool edges = true;
    std::optional<std::uint32_t> level = {};     ///< only this level; removed nodes are dots
    std::optional<std::uint32_t> point_out = {}; ///< this level in colour, all else faded
    bool tooltips = true;
};

/// What a panel holds, for its caption.
struct Counts {
    std::size_t nodes = 0;
    std::size_t edges = 0;
};

Counts draw_marks(Svg& svg, const Frame& frame, const Network& network, const Reading& reading,
                  const NetworkLook& look);

} // namespace sprig::draw
