#pragma once

#include <vector>

#include "draw/correspondence.h"
#include "lab/studies/drawn_units.h"

namespace sprig::lab {

/// How a pattern was placed in what was seen.
struct Match {
    const Sighting* sighting = nullptr;
    std::vector<NodeId> placed = {}; ///< by node of the pattern, or `no_node`
    bool full = false;
    std::size_t nodes = 0; ///< that were placed
    std::size_t edges = 0; ///< that were found
    double degree = 0;     ///< the smaller of both as shares
    double off = 0;        ///< px: root mean square of how far the found edges are from what was learned
};

/// The matcher's answer for a unit of the first level: the whole pattern if it is there, or else part of it.
[[nodiscard]] Match match_of(const UnitView& unit, const Sighting& sighting);

/// A match and what is to be said of it.
struct DrawnMatch {
    const UnitView* unit = nullptr;
    Match match;
    draw::Correspondence drawn;
};

/// One unit in four images: found as a whole; found where several nodes are of one type; almost found in an
/// image of its class; and in that image of another class in which most of it is found. Those that the
/// held-out images do not show are left out.
[[nodiscard]] std::vector<DrawnMatch> telling_matches(const Taught& taught);

} // namespace sprig::lab
