#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "draw/marks.h"
#include "draw/svg.h"
#include "sprig/front_end.h"
#include "sprig/network.h"

namespace sprig::draw {

/// The part of a pattern that was found in an observation, as a network at the observed positions.
struct PlacedPart {
    Network network;
    std::vector<NodeId> nodes; ///< by node of `network`: the node of the pattern
    std::vector<EdgeId> edges; ///< by edge of `network`: the edge of the pattern
};

/// `placed` contains the observed node of each pattern node, or `no_node`. An edge is found if the
/// observation has it between the nodes of its ends. Throws Error(bad_input) if `placed` does not fit the
/// networks.
[[nodiscard]] PlacedPart placed_part(const Network& pattern, const Network& observed,
                                     std::span<const NodeId> placed);

/// Converts a position, or a network, from the coordinates of the front end to px of the image.
[[nodiscard]] Point to_image_coordinates(Point place, const CoordinateTransform& transform);
[[nodiscard]] Network to_image_coordinates(const Network& network, const CoordinateTransform& transform);

/// Edge lengths are drawn in `length_steps` colours, up to `max_edge_length` px.
inline constexpr std::uint32_t length_steps = 20;
inline constexpr double max_edge_length = 20;

/// Replaces the level of each edge by its length in steps, so that the level colours show the length.
[[nodiscard]] Network with_length_levels(const Network& network);

/// A missing node: its mark in grey outline within a dashed ring.
void draw_missing(Svg& svg, Point centre, double radius, NodeMark mark);

} // namespace sprig::draw
