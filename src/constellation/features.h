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

/// Features of equal weight, which are multiplied before the logarithm is taken.
struct FeatureGroup {
    std::size_t first = 0;
    std::size_t end = 0;
    int quarters = 0; ///< four times the weight

    bool operator==(const FeatureGroup&) const = default;
};

/// Sets of features that are computed by faster code: see layout.h.
enum class KnownLayout : std::uint8_t { none, standard, paper };

/// The features in use, by descending weight, and their priors.
struct FeatureSet {
    explicit FeatureSet(const ConstellationParams& params);

    std::vector<Feature> features;
    std::vector<double> weights;    ///< by feature
    std::vector<double> prior_sums; ///< sums of squared deviations that the prior stands for
    std::vector<FeatureGroup> groups;
    double total_weight = 0;
    KnownLayout known_layout = KnownLayout::none;
    [[nodiscard]] std::size_t size() const { return features.size(); }
};

} // namespace sprig::constellation
