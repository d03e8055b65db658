#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constellation/sight.h"
#include "sprig/learner.h"

namespace sprig::constellation {

/// Stands for "not placed".
inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// A node of a unit: what is asked for, and how often it was there.
struct UnitNode {
    std::uint32_t type = 0;
    std::uint64_t hits = 0;    ///< samples that showed it, the first one included
    std::uint64_t watched = 0; ///< samples since it entered, and those that it entered in doubt of
};

/// What is learned of one way in which a class looks: nodes, how likely each is, and how its features vary.
struct Unit {
    Lineage lineage = 0;
    std::uint64_t born = 0;      ///< which sample of its class founded it
    std::uint64_t count = 0;     ///< samples that joined it, the first one included
    std::vector<UnitNode> nodes; ///< by type
    std::vector<double> means;   ///< by node, then feature
    std::vector<double> squares; ///< likewise: sums of squared deviations from the mean

    [[nodiscard]] std::size_t size() const { return nodes.size(); }
    /// The share of samples that show a node, with one sample's worth of doubt.
    [[nodiscard]] double presence(std::size_t node) const;
    /// The square of the scale of a feature's predictive distribution.
    [[nodiscard]] double square_scale(std::size_t node, std::size_t feature,
                                      const ConstellationParams& params, const FeatureSet& set) const;
    /// What has to be kept of it to go on learning.
    [[nodiscard]] std::size_t bytes() const;
};

/// A unit that has seen one observation.
[[nodiscard]] Unit found(const Shown& shown);

/// The unit after one more observation, whose nodes lie where `placed` says (for each node of the unit, a
/// node of the observation or `nowhere`): what was placed is learned from, what keeps missing goes, what was
/// not asked for enters.
[[nodiscard]] Unit joined(const Unit& unit, const Shown& shown, std::span<const std::uint32_t> placed,
                          const ConstellationParams& params);

} // namespace sprig::constellation
