#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sprig/draw.h"

namespace sprig::draw {

/// A node of a pattern that several observed nodes might match.
struct AmbiguousNode {
    struct Candidate {
        NodeId at = 0;
        std::string label; ///< short text beside it
    };
    NodeId node = 0; ///< of the pattern
    std::vector<Candidate> candidates;
};

/// A pattern, an observation, and the assignment of pattern nodes to observed nodes.
struct Correspondence {
    std::string caption;
    std::vector<std::string> notes; ///< lines under the caption
    Network pattern;
    ConstructionFigure observed;
    std::vector<NodeId> placed; ///< by node of the pattern: the observed node, or `no_node`
    std::optional<AmbiguousNode> ambiguous = {};
};

/// An SVG of pairs of frames, pattern and observation, with a line from every pattern node to its match. Both
/// frames show the same region, so that the lines are parallel where the two agree. Nodes without a match are
/// drawn in outline. Deterministic. Throws Error(usage) if there is nothing to draw.
[[nodiscard]] std::string draw_correspondences(std::span<const Correspondence> panels,
                                               const std::string& title,
                                               const std::vector<std::string>& notes = {});

} // namespace sprig::draw
