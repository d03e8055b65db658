#pragma once

#include <cstddef>
#include <vector>

#include "constellation/screening.h"

namespace sprig::constellation {

/// An observation in all poses that the parameters allow. The first is as it was observed. Of the others only
/// what the ranked bound needs is known at once; the rest is computed when it is first needed, since bounds
/// rule most poses out. Reuses its memory.
class PosedObservation {
  public:
    PosedObservation(const ConstellationParams& params, std::size_t types);

    /// `network` must not change as long as features are asked for.
    void assign(const Network& network);
    /// Adds a node to every pose.
    void add(const AddedNode& node);

    [[nodiscard]] std::size_t poses() const { return poses_.size(); }
    [[nodiscard]] const ObservationFeatures& first() const { return poses_.front().features; }
    /// Only its pose, types and ranks are sure to be known.
    [[nodiscard]] const ObservationFeatures& ranks(std::size_t pose) const { return poses_[pose].features; }
    [[nodiscard]] const ObservationFeatures& features(std::size_t pose) {
        Posed& posed = poses_[pose];
        if (!posed.has_features) compute_features(posed);
        return posed.features;
    }

    /// Only its ranks are sure to be known.
    [[nodiscard]] const ObservationLanes& ranked_lanes(std::size_t pose) {
        if (!has_ranked_lanes_) rank_lanes();
        return poses_[pose].lanes;
    }
    [[nodiscard]] const ObservationLanes& lanes(std::size_t pose) {
        if (!has_ranked_lanes_) rank_lanes();
        if (!poses_[pose].has_lanes) compute_lanes(pose);
        return poses_[pose].lanes;
    }

  private:
    struct Posed {
        ObservationFeatures features;
        ObservationLanes lanes = {};
        bool has_features = false;
        bool has_lanes = false;
    };
    void compute_features(Posed& posed) const;
    void compute_lanes(std::size_t pose);
    void rank_lanes();

    const Network* network_ = nullptr;
    std::vector<Posed> poses_;
    bool has_ranked_lanes_ = false;
};

/// A unit and an observation in one pose, to be screened.
[[nodiscard]] inline ScreenedPair screened_pair(const Predictive& unit, std::span<const double> ranked_gains,
                                                const UnitLanes& lanes, PosedObservation& observed,
                                                std::size_t pose) {
    return {unit, ranked_gains, lanes, observed.features(pose), observed.lanes(pose)};
}

/// The same for the ranked bound, which needs no features.
[[nodiscard]] inline ScreenedPair ranked_pair(const Predictive& unit, std::span<const double> ranked_gains,
                                              const UnitLanes& lanes, PosedObservation& observed,
                                              std::size_t pose) {
    return {unit, ranked_gains, lanes, observed.ranks(pose), observed.ranked_lanes(pose)};
}

} // namespace sprig::constellation
