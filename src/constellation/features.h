#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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

/// By feature: its place in a list, or `no_place`.
using FeaturePlaces = std::array<std::uint8_t, feature_kinds>;
inline constexpr std::uint8_t no_place = feature_kinds;
[[nodiscard]] constexpr FeaturePlaces places_in(std::span<const Feature> features) {
    FeaturePlaces places{};
    for (std::uint8_t& place : places) place = no_place;
    for (std::size_t i = 0; i < features.size(); ++i)
        places[static_cast<std::size_t>(features[i])] = static_cast<std::uint8_t>(i);
    return places;
}

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

    [[nodiscard]] bool has_positions_first() const {
        return size() >= 2 && features[0] == Feature::x && features[1] == Feature::y;
    }

    std::vector<Feature> features;
    FeaturePlaces places{};
    std::vector<double> weights;    ///< by feature
    std::vector<double> prior_sums; ///< sums of squared deviations that the prior stands for
    std::vector<FeatureGroup> groups;
    double total_weight = 0;
    KnownLayout known_layout = KnownLayout::none;
    [[nodiscard]] std::size_t size() const { return features.size(); }
};

} // namespace sprig::constellation
