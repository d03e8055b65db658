#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sprig/draw.h"

namespace sprig::draw {

/// A node of a pattern that several observed nodes might be taken for.
struct Dispute {
    struct Candidate {
        NodeId at = 0;
        std::string words; ///< what speaks for it, in short
    };
    NodeId node = 0; ///< of the pattern
    std::vector<Candidate> candidates;
};

/// A pattern beside an observation, and which node of the one was placed on which of the other.
struct Correspondence {
    std::string caption;
    std::vector<std::string> record; ///< lines under the caption
    Network pattern;
    ConstructionFigure seen;
    std::vector<NodeId> placed; ///< by node of the pattern: a node of what was seen, or `no_node`
    std::optional<Dispute> dispute = {};
};

/// Pairs of frames, each a pattern and what was seen, with a line from every node to where it was placed.
/// Both frames show the same part of the plane, so that the lines are parallel where the two agree. What was
/// not placed is drawn in outline. The same input gives the same bytes. Throws Error(usage) if there is
/// nothing to draw.
[[nodiscard]] std::string draw_correspondences(std::span<const Correspondence> panels,
                                               const std::string& title,
                                               const std::vector<std::string>& notes = {});

} // namespace sprig::draw
