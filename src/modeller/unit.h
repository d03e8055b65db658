#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "match/pattern.h"
#include "sprig/learner.h"

namespace sprig::modeller {

using match::Point;

using UnitId = std::uint32_t;   ///< index into the class's list of units; reused after a removal
using NodeSlot = std::uint32_t; ///< likewise for nodes
inline constexpr UnitId no_unit = std::numeric_limits<UnitId>::max(); ///< as a target: the class itself

/// Running mean and sum of squared deviations of a position (Welford's algorithm).
struct Moments {
    double n = 0;
    Point mean;
    Point m2;

    void add(const Point& value);
};

/// Statistics of undirected orientations: sums of the cosine and sine of the doubled angle.
struct Axial {
    double n = 0;
    double cosine = 0;
    double sine = 0;

    /// Adds the orientation of a displacement. A displacement of length 0 is counted but adds nothing.
    void add(const Point& displacement);
};

/// The cosine and sine of twice a displacement's angle; 0 and 0 for one of length 0.
struct DoubledAngle {
    double cosine = 0;
    double sine = 0;
};
[[nodiscard]] DoubledAngle doubled_angle(const Point& displacement);

/// A node of a pattern and its statistics. Each node is owned by one unit.
struct NodeRecord {
    NodeSlot slot = 0;
    std::uint64_t key = 0; ///< permanent identifier, derived from the lineage of its first owner
    std::uint32_t type = 0;
    Point mean;          ///< used by the matcher
    std::uint64_t n = 0; ///< number of observations in the mean
    Moments own;         ///< used by the read-out: positions in samples of the class
    Moments pool;        ///< ... and in all samples
};

/// An edge of a pattern; its ends are the owner's nodes or anchors.
struct EdgeRecord {
    NodeSlot from = 0;
    NodeSlot to = 0;
    std::uint32_t layer = 0;
    Point mean; ///< displacement, used by the matcher
    std::uint64_t n = 0;
    Axial own;
    Axial pool;
};

/// Which statistics besides the pool an observation updates.
struct UpdateFlags {
    bool own = false;  ///< those of the class: the sample is of the class
    bool mean = false; ///< the mean that the matcher uses
};
/// Records without observations.
[[nodiscard]] NodeRecord new_node(std::uint32_t type, const Point& at);
[[nodiscard]] EdgeRecord new_edge(std::uint32_t layer, const Point& displacement);
/// Adds an observed position or displacement to the statistics.
void update(NodeRecord& node, const Point& at, UpdateFlags flags);
void update(EdgeRecord& edge, const Point& displacement, UpdateFlags flags);

/// The key of the i-th node of a new unit.
[[nodiscard]] std::uint64_t node_key(Lineage unit, std::size_t i);

/// Whether two edges have the same layer, tail and head.
[[nodiscard]] inline bool same_edge(const EdgeRecord& a, const EdgeRecord& b) {
    return a.from == b.from && a.to == b.to && a.layer == b.layer;
}

/// A unit; the paper calls it a conditioning state variable.
struct Unit {
    Lineage lineage = 0;
    UnitId target = no_unit;
    Polarity polarity = Polarity::positive;
    bool changed = false; ///< created or changed in this step
    std::uint32_t depth = 1;
    std::vector<UnitId> upstreams; ///< the units that condition this one, in the order they were attached

    std::vector<NodeRecord> nodes;
    std::vector<EdgeRecord> edges;
    std::vector<NodeSlot> anchors; ///< ends of edges that are owned by other units
    match::Pattern pattern;        ///< the same, compiled for the matcher

    std::uint64_t attached = 0; ///< position among the upstreams of its target; there may be gaps

    std::uint64_t born = 0; ///< the model's step
    std::uint64_t active = 0;
    std::uint64_t inactive = 0;
    /// `active` and `ClassModel::target_count` at the time it was attached to its present target.
    std::uint64_t active_at_birth = 0;
    std::uint64_t target_at_birth = 0;

    // For the read-out: how often it fired (matched in full), and when counting began
    std::uint64_t fired = 0;
    std::uint64_t fired_own = 0;
    std::uint64_t seen_before = 0;     ///< `ClassModel::observed` before it was created
    std::uint64_t seen_own_before = 0; ///< ... and `ClassModel::own`

    /// The fraction of its matches in which it was active; 1 if it never matched.
    [[nodiscard]] double reliability() const {
        const std::uint64_t total = active + inactive;
        return total == 0 ? 1.0 : static_cast<double>(active) / static_cast<double>(total);
    }
    [[nodiscard]] bool is_empty() const { return nodes.empty() && edges.empty(); }
    /// The size of the state that is needed to continue learning. The compiled pattern is derived from the
    /// rest, and `attached` from the order of the upstreams.
    [[nodiscard]] std::size_t bytes() const {
        return sizeof(Unit) - sizeof(pattern) - sizeof(attached) + (nodes.size() * sizeof(NodeRecord)) +
               (edges.size() * sizeof(EdgeRecord)) + (anchors.size() * sizeof(NodeSlot)) +
               (upstreams.size() * sizeof(UnitId));
    }
};

} // namespace sprig::modeller
