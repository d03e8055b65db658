#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sprig/constellation.h"

namespace sprig::constellation {

/// The features of a node. Features of weight 0 are left out.
enum class Feature : std::uint8_t {
    x,
    y,
    next_x,
    next_y,
    previous_x,
    previous_y,
    later_x,
    later_y,
    earlier_x,
    earlier_y,
    persistence,
    sharpness,
};
inline constexpr std::size_t feature_kinds = 12;
inline constexpr std::size_t default_feature_count = 8;

/// Features of equal weight, which are multiplied before the logarithm is taken.
struct FeatureGroup {
    std::size_t first = 0;
    std::size_t end = 0;
    int quarters = 0; ///< four times the weight

    bool operator==(const FeatureGroup&) const = default;
};

/// The features in use, by descending weight, and their priors.
struct FeatureSet {
    explicit FeatureSet(const ConstellationParams& params);

    std::vector<Feature> features;
    std::vector<double> weights;    ///< by feature
    std::vector<double> prior_sums; ///< sums of squared deviations that the prior stands for
    std::vector<FeatureGroup> groups;
    double total_weight = 0;
    /// Whether the features are the position with weight 1 and six others with weight 0.5: this case is
    /// computed by faster code.
    bool has_default_layout = false;
    [[nodiscard]] std::size_t size() const { return features.size(); }
};

/// `product` raised to a weight in quarters (1 to 4).
inline double int_power(double product, int quarters) {
    switch (quarters) {
    case 1:
        return product;
    case 2:
        return product * product;
    case 3:
        return product * product * product;
    default: {
        const double square = product * product;
        return square * square;
    }
    }
}

} // namespace sprig::constellation
