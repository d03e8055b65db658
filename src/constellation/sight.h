#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constellation/features.h"
#include "sprig/network.h"

namespace sprig::constellation {

/// A way to look at an observation: as it is, or mirrored.
struct Pose {
    bool left_right = false;
    bool top_bottom = false;
};

/// The poses that the parameters allow for.
[[nodiscard]] std::span<const Pose> poses_of(const ConstellationParams& params);

/// What of an observation a unit learns from: its nodes by type, each with its features.
struct Shown {
    std::span<const std::uint32_t> begins; ///< by type: its first node; one more says how many there are
    const double* features = nullptr;      ///< by node, then feature
    std::size_t width = 0;                 ///< features of a node

    [[nodiscard]] std::size_t size() const { return begins.back(); }
    [[nodiscard]] std::size_t types() const { return begins.size() - 1; }
    [[nodiscard]] const double* of(std::size_t node) const { return features + (node * width); }
};

/// An observation as units look at it: its nodes by type, in an order that does not depend on how the network
/// numbers them, each with its features and with how surprising it would be as mere clutter. Keeps its memory
/// from one observation to the next.
class Sight {
  public:
    Sight(const ConstellationParams& params, std::size_t types, Pose pose = {});

    void assign(const Network& network);
    /// One more node, which no network has: its type and features are given as they are seen in some pose.
    void suppose(std::uint32_t type, std::span<const double> features, const Pose& seen_in);

    [[nodiscard]] const Pose& pose() const { return pose_; }
    [[nodiscard]] std::size_t size() const { return ids_.size(); }
    [[nodiscard]] std::size_t types() const { return begin_.size() - 1; }
    /// The nodes of a type are those from `begin(type)` to `begin(type + 1)`.
    [[nodiscard]] std::uint32_t begin(std::size_t type) const { return begin_[type]; }
    [[nodiscard]] const double* features(std::size_t i) const { return values_.data() + (i * set_.size()); }
    [[nodiscard]] Shown shown() const { return {begin_, values_.data(), set_.size()}; }
    /// Minus the logarithm of the density it would have as clutter.
    [[nodiscard]] double surprise(std::size_t i) const { return surprise_[i]; }
    /// The same numbers once more, but within each type the greatest first: for bounds.
    [[nodiscard]] double ranked_surprise(std::size_t i) const { return ranked_[i]; }
    /// Which node of the network it is; `no_node` for one that is only supposed.
    [[nodiscard]] NodeId id(std::size_t i) const { return ids_[i]; }
    [[nodiscard]] const FeatureSet& set() const { return set_; }

  private:
    void sort_by_type(const Network& network);
    void rank();
    [[nodiscard]] double value_of(const Network& network, NodeId node, Feature feature) const;
    [[nodiscard]] bool is_before(const Network& network, NodeId a, NodeId b) const;
    [[nodiscard]] double surprise_of(const double* row) const;

    FeatureSet set_;
    Pose pose_;
    std::vector<std::uint32_t> type_of_; ///< what each type becomes in this pose
    double clutter_;                     ///< minus the logarithm of the density of positions of clutter
    std::vector<std::uint32_t> begin_;
    std::vector<NodeId> ids_;
    std::vector<double> values_; ///< by node, then feature
    std::vector<double> surprise_;
    std::vector<double> ranked_;
};

/// A sight for every pose.
[[nodiscard]] std::vector<Sight> make_sights(const ConstellationParams& params, std::size_t types);

} // namespace sprig::constellation
