#pragma once

#include <cstdint>
#include <vector>

#include "constellation/unit.h"

namespace sprig::constellation {

/// A unit made ready for looking: what the density of every feature needs, computed once. Each feature has a
/// Student-t predictive with as many degrees of freedom as the prior and the samples seen; a node's features
/// go into one product, of which one logarithm is taken.
struct Predictive {
    Predictive(const Unit& unit, const ConstellationParams& params, const FeatureSet& set, std::size_t types);

    std::vector<std::uint32_t> begin; ///< the nodes of a type are those from begin[type] to begin[type + 1]
    /// By node: the mean of each feature, then the factor of each squared deviation from it.
    std::vector<double> rows;
    /// By node: what placing it where it is expected gains, clutter apart ...
    std::vector<double> gain;
    /// ... and how much of it the logarithm of the product takes away.
    std::vector<double> slope;
    /// The gains once more, but within each type the greatest first: for bounds.
    std::vector<double> ranked_gain;
    /// By node, what its absence costs; and that of all.
    std::vector<double> absence;
    double nothing_placed = 0;

    [[nodiscard]] std::size_t size() const { return gain.size(); }
};

} // namespace sprig::constellation
