#include "constellation/posed_observation.h"

#include <utility>

namespace sprig::constellation {

PosedObservation::PosedObservation(const ConstellationParams& params, std::size_t types) {
    for (ObservationFeatures& features : make_observation_features(params, types))
        poses_.push_back({.features = std::move(features)});
}

void PosedObservation::assign(const Network& network) {
    network_ = &network;
    has_ranked_lanes_ = false;
    Posed& unchanged = poses_.front();
    unchanged.features.assign(network);
    for (Posed& posed : poses_) {
        posed.has_features = &posed == &unchanged;
        posed.has_lanes = false;
        if (!posed.has_features) posed.features.assign_ranks(unchanged.features);
    }
}

void PosedObservation::add(const AddedNode& node) {
    for (Posed& posed : poses_) {
        if (!posed.has_features) compute_features(posed);
        posed.features.add(node);
        posed.has_lanes = false;
    }
    has_ranked_lanes_ = false;
}

void PosedObservation::compute_features(Posed& posed) const {
    posed.features.assign(*network_);
    posed.has_features = true;
}

void PosedObservation::compute_lanes(std::size_t pose) {
    poses_[pose].lanes.assign(features(pose));
    poses_[pose].has_lanes = true;
}

void PosedObservation::rank_lanes() {
    has_ranked_lanes_ = true;
    compute_lanes(0);
    for (std::size_t pose = 1; pose < poses_.size(); ++pose)
        poses_[pose].lanes.assign_ranks(poses_.front().lanes, poses_[pose].features.types_here());
}

} // namespace sprig::constellation
