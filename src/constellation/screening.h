#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "constellation/lanes.h"
#include "constellation/observation_features.h"
#include "constellation/predictive.h"

namespace sprig::constellation {

inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// Up to four nodes of a unit of one type.
struct NodeGroup {
    std::uint32_t type = 0;
    std::uint32_t first_node = 0;
    std::uint32_t count = 0;
    bool is_first = true; ///< of its type
    bool is_last = true;
};

/// A unit in single precision, for upper bounds of its gains. Immutable.
struct UnitLanes {
    UnitLanes(const Predictive& unit, std::span<const double> ranked_gains, const FeatureSet& set);

    std::vector<NodeGroup> groups;
    /// By group: the gain at the mean, the slope, the mean of each feature, the factor of each squared
    /// deviation. A lane without a node has a gain so low that it is never placed.
    std::vector<Floats> values;
    std::vector<Floats> ranked; ///< by type: the four largest gains in descending order, rounded up
    std::vector<std::uint32_t> large_types; ///< types with more nodes than that
    /// Whether all numbers are small enough for the error bounds.
    bool is_usable = true;

  private:
    /// A node of a unit, and where it is in the unit's pairs.
    struct NodeOfPair {
        const Predictive& unit;
        std::uint32_t node;
        const Lanes* pair;
        std::uint32_t lane;
    };
    void add_node(const NodeOfPair& source, const FeatureSet& set, Floats* group, std::uint32_t lane);
};

/// An observation in single precision. Reuses its memory.
struct ObservationLanes {
    void assign(const ObservationFeatures& observed);
    /// Only the ranks, from the same observation in the first pose; `types`: by its types, those in this
    /// pose.
    void assign_ranks(const ObservationLanes& unchanged, std::span<const std::uint32_t> types);

    std::vector<Floats> values; ///< by node: its surprise, then its features, each in all lanes
    std::vector<Floats> ranked; ///< by type: the four largest surprises in descending order, rounded up
    bool is_usable = true;      ///< see UnitLanes
    NearLogarithm near_logarithm;
};

/// An upper bound of the score of a unit with these ranked gains, or a part of it that is at least `enough`.
/// Cheap: it does not compare features.
[[nodiscard]] double ranked_bound(const Predictive& unit, std::span<const double> ranked_gains,
                                  const ObservationFeatures& observed,
                                  double enough = std::numeric_limits<double>::infinity());

/// A unit and an observation, both also in single precision.
struct ScreenedPair {
    const Predictive& unit;
    std::span<const double> ranked_gains;
    const UnitLanes& unit_lanes;
    const ObservationFeatures& observed;
    const ObservationLanes& observation_lanes;
};

/// The ranked bound, in single precision, rounded up.
[[nodiscard]] double ranked_bound(const ScreenedPair& pair);

/// A closer upper bound. For each type, it gives each node of the unit its best observed node, whether or not
/// another node has the same, and the other way round, and takes the lower sum. Computed in single precision,
/// four nodes at a time, with all rounding errors on the safe side. Returns minus infinity as soon as it is
/// known to be below `floor`. `ranked` is the ranked bound.
[[nodiscard]] double screened_bound(const ScreenedPair& pair, double ranked, double floor);

} // namespace sprig::constellation
