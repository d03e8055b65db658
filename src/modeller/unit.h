#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "match/pattern.h"
#include "sprig/learner.h"

namespace sprig::modeller {

using match::Point;

using UnitId = std::uint32_t;   ///< a place in the class's list of units; used again after a removal
using NodeSlot = std::uint32_t; ///< likewise for nodes
inline constexpr UnitId no_unit = std::numeric_limits<UnitId>::max(); ///< as a target: the class itself

/// Mean and squared deviations of a position, one observation at a time (Welford).
struct Moments {
    double n = 0;
    Point mean;
    Point m2;

    void add(const Point& value);
};

/// Directions without a sense, as sums of the cosine and sine of the doubled angle.
struct Axial {
    double n = 0;
    double cosine = 0;
    double sine = 0;

    /// Adds the direction of a displacement; one of length 0 has none.
    void add(const Point& displacement);
};

/// The cosine and sine of twice a displacement's angle; 0 and 0 for one of length 0.
struct DoubledAngle {
    double cosine = 0;
    double sine = 0;
};
[[nodiscard]] DoubledAngle doubled_angle(const Point& displacement);

/// A node of a pattern with all that is known of it. It is owned by one unit.
struct NodeRecord {
    NodeSlot slot = 0;
    std::uint64_t key = 0; ///< its name for good: from its first owner's lineage
    std::uint32_t type = 0;
    Point mean;          ///< for the matcher
    std::uint64_t n = 0; ///< observations in the mean
    Moments own;         ///< for the read-out: where it lay when its class was there ...
    Moments pool;        ///< ... and in all observations
};

/// An edge of a pattern; its ends are the owner's nodes or anchors.
struct EdgeRecord {
    NodeSlot from = 0;
    NodeSlot to = 0;
    std::uint32_t layer = 0;
    Point mean; ///< displacement, for the matcher
    std::uint64_t n = 0;
    Axial own;
    Axial pool;
};

/// How a node or an edge is seen: with its class there or not, and whether the matcher's mean goes with it.
struct Glance {
    bool own = false;
    bool moves = false;
};
/// A node and an edge of which nothing is known but what they were made of.
[[nodiscard]] NodeRecord new_node(std::uint32_t type, const Point& at);
[[nodiscard]] EdgeRecord new_edge(std::uint32_t layer, const Point& displacement);
/// Takes in where a node lay, or how an edge ran.
void see(NodeRecord& node, const Point& at, Glance glance);
void see(EdgeRecord& edge, const Point& displacement, Glance glance);

/// The name for good of the i-th node that a unit was made with.
[[nodiscard]] std::uint64_t node_key(Lineage unit, std::size_t i);

/// Whether two edges ask for the same: one layer, one tail, one head.
[[nodiscard]] inline bool same_edge(const EdgeRecord& a, const EdgeRecord& b) {
    return a.from == b.from && a.to == b.to && a.layer == b.layer;
}

/// What the paper calls a conditioning state variable.
struct Unit {
    Lineage lineage = 0;
    UnitId target = no_unit;
    Polarity polarity = Polarity::positive;
    bool touched = false; ///< made or changed in this step
    std::uint32_t depth = 1;
    std::vector<UnitId> upstreams; ///< the units that condition this one, in order of birth

    std::vector<NodeRecord> nodes;
    std::vector<EdgeRecord> edges;
    std::vector<NodeSlot> anchors; ///< ends of edges that other units own
    match::Pattern pattern;        ///< the same, compiled for the matcher

    std::uint64_t attached =
        0; ///< its place among those that condition its target, which need not be all taken

    std::uint64_t born = 0; ///< the model's step
    std::uint64_t active = 0;
    std::uint64_t inactive = 0;
    /// `active`, and how often its target was as it says, when it came to its present target.
    std::uint64_t active_at_birth = 0;
    std::uint64_t target_at_birth = 0;

    // For the read-out: how often it fired (matched in full), and when the counting began
    std::uint64_t fired = 0;
    std::uint64_t fired_own = 0;
    std::uint64_t seen_before = 0;     ///< the class's steps before its birth
    std::uint64_t seen_own_before = 0; ///< ... and those that were of the class

    /// How often the target was as the unit says, of the times the unit was there; 1 if it never was.
    [[nodiscard]] double reliability() const {
        const std::uint64_t total = active + inactive;
        return total == 0 ? 1.0 : static_cast<double>(active) / static_cast<double>(total);
    }
    [[nodiscard]] bool is_empty() const { return nodes.empty() && edges.empty(); }
    /// What has to be kept of it to go on learning: all but the compiled pattern, and the order that the
    /// upstreams are in anyway.
    [[nodiscard]] std::size_t bytes() const {
        return sizeof(Unit) - sizeof(pattern) - sizeof(attached) + (nodes.size() * sizeof(NodeRecord)) +
               (edges.size() * sizeof(EdgeRecord)) + (anchors.size() * sizeof(NodeSlot)) +
               (upstreams.size() * sizeof(UnitId));
    }
};

} // namespace sprig::modeller
