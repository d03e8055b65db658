#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sprig/constellation.h"

namespace sprig::constellation {

/// What is measured of a node. Those without weight are left out of everything.
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
inline constexpr std::size_t usual_features = 8;

/// Features of one weight, which are multiplied with each other before the logarithm is taken.
struct FeatureGroup {
    std::size_t first = 0;
    std::size_t end = 0;
    int quarters = 0; ///< of weight

    bool operator==(const FeatureGroup&) const = default;
};

/// Which features there are, by falling weight, and what is expected of each.
struct FeatureSet {
    explicit FeatureSet(const ConstellationParams& params);

    std::vector<Feature> features;
    std::vector<double> weights;       ///< by feature
    std::vector<double> prior_squares; ///< the prior spread, squared
    std::vector<FeatureGroup> groups;
    double total_weight = 0;
    /// Whether the features are the position at full weight and six others at half: there is a fast way then.
    bool is_usual = false;
    [[nodiscard]] std::size_t size() const { return features.size(); }
};

/// The power of a product that stands for its weight.
inline double to_quarters(double product, int quarters) {
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
