#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "constellation/observation_features.h"
#include "sprig/learner.h"

namespace sprig::constellation {

/// Marks a unit node that no observed node is assigned to.
inline constexpr std::uint32_t unassigned = ~std::uint32_t{0};

/// A node of a unit and how often it was present.
struct UnitNode {
    std::uint32_t type = 0;
    std::uint64_t hits = 0;    ///< samples in which it was present, including the first
    std::uint64_t watched = 0; ///< samples since it was added, plus up to `late_doubt` earlier ones
};

/// The smoothed share of samples in which a node was present. Below 1, so that the other nodes can outweigh a
/// single absence.
[[nodiscard]] inline double presence_of(const UnitNode& node) {
    constexpr double max_presence = 0.999;
    const double share = (static_cast<double>(node.hits) + 1) / (static_cast<double>(node.watched) + 1.3);
    return std::min(max_presence, share);
}

/// One component of a class's mixture: its nodes, their probabilities and the distribution of their features.
struct Unit {
    Lineage lineage = 0;
    std::uint64_t born = 0;      ///< the sample of its class that created it
    std::uint64_t count = 0;     ///< its samples, including the first
    std::vector<UnitNode> nodes; ///< sorted by type
    std::vector<double> means;   ///< by node, then feature
    std::vector<double> squares; ///< by node, then feature: sums of squared deviations from the mean

    [[nodiscard]] std::size_t size() const { return nodes.size(); }
    /// The square of the scale of a feature's predictive distribution.
    [[nodiscard]] double square_scale(std::size_t node, std::size_t feature,
                                      const ConstellationParams& params, const FeatureSet& set) const;
};

/// Size of the stored state of a unit.
[[nodiscard]] std::size_t stored_bytes(std::size_t nodes, const FeatureSet& set);

/// Creates a unit from its first observation.
[[nodiscard]] Unit make_unit(const FeatureView& view);

/// The unit after one more observation. `placed` has an observed node, or `unassigned`, for each node of the
/// unit. Placed nodes update their statistics, nodes that are absent too often are dropped, and observed
/// nodes that were not assigned are added.
[[nodiscard]] Unit updated_unit(const Unit& unit, const FeatureView& view,
                                std::span<const std::uint32_t> placed, const ConstellationParams& params);

} // namespace sprig::constellation
