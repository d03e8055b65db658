#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sprig/network.h"

namespace sprig::test {

/// A matching problem in terms of networks only.
struct Problem {
    Network pattern;                   ///< its own nodes first, then its anchors
    std::size_t own = 0;               ///< number of own nodes
    Network observation;               ///< of the same schema
    std::vector<NodeId> pins = {};     ///< the observed node of each anchor
    std::vector<std::uint8_t> taken{}; ///< by observed node; empty: none
    double max_error = std::numeric_limits<double>::infinity();
};

/// The best of all placements.
struct BestPlacement {
    std::vector<NodeId> placed; ///< one observed node for each own node
    double cost = 0;
    std::uint64_t equals = 0; ///< number of placements with this cost; 0: there is no placement
};

/// Tries all one-to-one placements of the own nodes on free nodes of their types. Returns the one of least
/// cost that has every edge within `max_error`. Ties go to the first, with observed nodes ordered by
/// position, then type. A reference implementation, independent of `src/match` and not optimised.
[[nodiscard]] BestPlacement best_placement(const Problem& problem);

/// Whether the observation has an edge of this layer between these nodes.
[[nodiscard]] bool has_edge(const Network& network, std::uint32_t layer, NodeId from, NodeId to);

/// The squared difference between the displacement of a pattern edge and the observed one.
[[nodiscard]] double squared_error(const Problem& problem, EdgeId edge, NodeId from, NodeId to);

/// Whether a node has no edges.
[[nodiscard]] bool is_isolated(const Network& network, NodeId node);

/// The squared distance between a node's position in the pattern and its placement.
[[nodiscard]] double squared_distance(const Problem& problem, NodeId node, NodeId at);

} // namespace sprig::test
