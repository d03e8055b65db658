#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "constellation/unit.h"

namespace sprig::constellation {

/// Added to a bound before it is compared with a score: larger than any accumulated rounding error.
inline constexpr double rounding_margin = 1e-6;

/// The predictive distribution of a unit, precomputed for scoring. Each feature has a Student-t distribution;
/// its degrees of freedom are the prior weight plus the number of samples. The features of a node are
/// multiplied, so that one logarithm per node is enough.
struct Predictive {
    Predictive(const Unit& unit, const ConstellationParams& params, const FeatureSet& set, std::size_t types);

    std::vector<std::uint32_t> begin; ///< nodes of a type: begin[type] to begin[type + 1]
    /// By node: the mean of each feature, then the factor of its squared deviation.
    std::unique_ptr<double[]> rows;
    /// By node: the gain of placing it at its mean, without the clutter term.
    std::vector<double> gain;
    /// By node: the factor of the logarithm of the product, which is subtracted from the gain.
    std::vector<double> slope;
    std::vector<double> absence; ///< by node: the log-probability of its absence
    double all_absent = 0;       ///< their sum

    [[nodiscard]] std::size_t size() const { return gain.size(); }
    /// The gains in descending order within each type, for bounds.
    [[nodiscard]] std::vector<double> ranked_gains() const;
};

} // namespace sprig::constellation
