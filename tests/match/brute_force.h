#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sprig/network.h"

namespace sprig::test {

/// A pattern to be placed in an observation, in terms of networks alone.
struct Problem {
    Network pattern;                   ///< its own nodes first, then its anchors
    std::size_t own = 0;               ///< how many nodes are its own
    Network observation;               ///< of the same schema
    std::vector<NodeId> pins = {};     ///< where each anchor lies
    std::vector<std::uint8_t> taken{}; ///< by observed node; empty: none is
    double max_error = std::numeric_limits<double>::infinity();
};

/// The best of all placements.
struct BestPlacement {
    std::vector<NodeId> placed; ///< one observed node for each own node
    double cost = 0;
    std::uint64_t equals = 0; ///< how many placements have this cost; 0: there is none at all
};

/// Tries every one-to-one placement of the own nodes on free nodes of their types, and finds the cheapest of
/// those that have every edge, none of them off by more than is allowed. Of equally cheap ones the first is
/// taken, with observed nodes in the order of position, then type. Written apart from `src/match`, for
/// comparison, with no thought for speed.
[[nodiscard]] BestPlacement best_placement(const Problem& problem);

/// Whether the observation has an edge of this layer between these nodes.
[[nodiscard]] bool has_edge(const Network& network, std::uint32_t layer, NodeId from, NodeId to);

/// The squared distance between the displacement that an edge of the pattern has and the observed one.
[[nodiscard]] double squared_error(const Problem& problem, EdgeId edge, NodeId from, NodeId to);

/// Whether no edge of the pattern begins or ends at a node.
[[nodiscard]] bool is_isolated(const Network& network, NodeId node);

/// The squared distance between where the pattern has a node and where it is placed.
[[nodiscard]] double squared_distance(const Problem& problem, NodeId node, NodeId at);

} // namespace sprig::test
