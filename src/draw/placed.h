#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "draw/marks.h"
#include "draw/svg.h"
#include "sprig/front_end.h"
#include "sprig/network.h"

namespace sprig::draw {

/// What of a pattern was found in an observation, as a network that lies where it was found.
struct PlacedPart {
    Network network;
    std::vector<NodeId> nodes; ///< which node of the pattern each of its nodes is
    std::vector<EdgeId> edges; ///< likewise for its edges
};

/// `placed` says for each node of the pattern which node of the observation it lies on, or `no_node`. An edge
/// is found if the observation has it between the nodes that its ends lie on. Throws Error(bad_input) if
/// `placed` is not about these two.
[[nodiscard]] PlacedPart placed_part(const Network& pattern, const Network& seen,
                                     std::span<const NodeId> placed);

/// The same in px of the image, whatever frame the front end measures in.
[[nodiscard]] Network in_image(const Network& network, const Placement& placement);

/// How far an edge reaches is told in so many steps, and no farther than so many px.
inline constexpr std::uint32_t range_steps = 20;
inline constexpr double farthest_range = 20;

/// The same network with each edge on the level that its length is: then length has the colours of levels.
[[nodiscard]] Network by_range(const Network& network);

/// A node that is looked for and not there: its mark in grey outline within a broken ring.
void draw_missing(Svg& svg, Point centre, double radius, NodeMark mark);

} // namespace sprig::draw
