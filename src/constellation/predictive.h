#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "constellation/lanes.h"
#include "constellation/unit.h"

namespace sprig::constellation {

/// Added to a bound before it is compared with a score: larger than any accumulated rounding error.
inline constexpr double rounding_margin = 1e-6;

/// The log-probability that a node is absent.
[[nodiscard]] double absence_of(const UnitNode& node);

/// The predictive distribution of a unit, precomputed for scoring. Each feature has a Student-t distribution;
/// its degrees of freedom are the prior weight plus the number of samples. The features of a node are
/// multiplied, so that one logarithm per node is enough.
struct Predictive {
    Predictive(const Unit& unit, const ConstellationParams& params, const FeatureSet& set, std::size_t types);

    std::vector<std::uint32_t> begin; ///< nodes of a type: begin[type] to begin[type + 1]
    /// For every two nodes of a type, a lane each: their gain, slope (the factor of the logarithm of the
    /// product, which is subtracted from the gain), mean of each feature and factor of each squared
    /// deviation. The last of an odd number of nodes is in both lanes.
    std::unique_ptr<Lanes[]> pairs;
    [[nodiscard]] static std::size_t pair_size(std::size_t features) { return 2 + (2 * features); }
    /// By node: the gain of placing it at its mean, without the clutter term.
    std::vector<double> gain;
    double all_absent = 0; ///< the log-probability that all nodes are absent

    [[nodiscard]] std::size_t size() const { return gain.size(); }
    /// The gains in descending order within each type, for bounds.
    [[nodiscard]] std::vector<double> ranked_gains() const;
};

} // namespace sprig::constellation
