#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "constellation/features.h"
#include "constellation/lanes.h"
#include "sprig/network.h"

namespace sprig::constellation {

/// How an observation is turned, and then mirrored.
struct Pose {
    bool left_right = false;
    bool top_bottom = false;
    std::uint32_t turn = 0; ///< in angles between two directions, from x towards y; less than a half turn
};

/// All poses that the parameters allow, the observed one first.
[[nodiscard]] std::vector<Pose> poses_of(const ConstellationParams& params, std::uint32_t directions);

/// A change of coordinates without a turn.
struct Mirror {
    double x_sign = 1;
    double y_sign = 1;

    [[nodiscard]] double x(double at_x, double /*at_y*/) const { return x_sign * at_x; }
    [[nodiscard]] double y(double /*at_x*/, double at_y) const { return y_sign * at_y; }
    /// A mirrored contour is traversed in the opposite direction.
    [[nodiscard]] bool is_backwards() const { return x_sign != y_sign; }
};

/// Changes the coordinates and the types of an observation to those in a pose. Directions are mapped to
/// directions, so that the result is the network of the turned or mirrored shape.
class PoseChange {
  public:
    PoseChange(const Pose& pose, std::uint32_t directions);

    [[nodiscard]] std::uint32_t type(std::uint32_t observed) const;
    [[nodiscard]] double x(double at_x, double at_y) const {
        return mirror_.x_sign * (pose_.turn == 0 ? at_x : (cosine_ * at_x) - (sine_ * at_y));
    }
    [[nodiscard]] double y(double at_x, double at_y) const {
        return mirror_.y_sign * (pose_.turn == 0 ? at_y : (sine_ * at_x) + (cosine_ * at_y));
    }
    [[nodiscard]] bool is_backwards() const { return mirror_.is_backwards(); }
    /// The same for a pose without a turn, for loops over nodes.
    [[nodiscard]] const Mirror& mirror() const { return mirror_; }

  private:
    Pose pose_;
    std::uint32_t directions_;
    Mirror mirror_;
    double cosine_;
    double sine_;
};

/// The features of an observation's nodes, sorted by type.
struct FeatureView {
    std::span<const std::uint32_t> begins; ///< nodes of a type: begins[type] to begins[type + 1]
    const double* features = nullptr;      ///< by node, then feature
    std::size_t width = 0;                 ///< features per node

    [[nodiscard]] std::size_t size() const { return begins.back(); }
    [[nodiscard]] std::size_t types() const { return begins.size() - 1; }
    [[nodiscard]] const double* row(std::size_t node) const { return features + (node * width); }
};

/// The densities of the features of clutter: broad Gaussians. Positions are uniform, which is taken account
/// of elsewhere: their weight is 0 here.
struct ClutterDensities {
    ClutterDensities(const ConstellationParams& params, const FeatureSet& set);

    double position_surprise; ///< the negative log-density of a position
    /// Two features, a lane each. The second of the last one may be missing.
    struct Pair {
        Lanes mean{};
        Lanes spread{1, 1};
        Lanes log_spread{};
        Lanes weight{};
    };
    std::vector<Pair> pairs;
    std::size_t first = 0; ///< those before this one are positions

    /// A lower bound of the negative log-density of any node.
    [[nodiscard]] double least_surprise() const;
};

/// A node that is not in the network, with its features as observed in `pose`.
struct AddedNode {
    std::uint32_t type = 0;
    std::vector<double> features;
    Pose pose;
};

/// An observation in one pose, ready to be scored: its nodes sorted by type, each with its features and its
/// surprise as clutter. The order does not depend on how the network numbers its nodes. Reuses its memory.
class ObservationFeatures {
  public:
    ObservationFeatures(const ConstellationParams& params, std::size_t types, Pose pose = {});

    void assign(const Network& network);
    /// Only what the ranked bound needs, from the same observation in the first pose.
    void assign_ranks(const ObservationFeatures& unchanged);
    void add(const AddedNode& node);

    [[nodiscard]] const Pose& pose() const { return pose_; }
    /// By type of the first pose: its type in this pose.
    [[nodiscard]] std::span<const std::uint32_t> types_here() const { return type_of_; }
    [[nodiscard]] std::size_t size() const { return begin_.back(); }
    [[nodiscard]] std::size_t types() const { return begin_.size() - 1; }
    /// Nodes of a type: `begin(type)` to `begin(type + 1)`.
    [[nodiscard]] std::uint32_t begin(std::size_t type) const { return begin_[type]; }
    [[nodiscard]] std::span<const std::uint32_t> begins() const { return begin_; }
    [[nodiscard]] const double* features(std::size_t i) const { return values_.data() + (i * set_.size()); }
    /// By node: its surprise, then its features, each in both lanes.
    [[nodiscard]] const Lanes* doubled() const { return doubled_.data(); }
    /// The same of two nodes of a type, a lane each, in the place of the first. The last of an odd number of
    /// nodes is in both lanes. Not set for a type with only one node.
    [[nodiscard]] const Lanes* pairs() const { return pairs_.data(); }
    [[nodiscard]] FeatureView view() const { return {begin_, values_.data(), set_.size()}; }
    /// The negative log-density of a node as clutter.
    [[nodiscard]] double surprise(std::size_t i) const { return surprise_[i]; }
    [[nodiscard]] const double* surprises() const { return surprise_.data(); }
    /// The surprises in descending order within each type, for bounds.
    [[nodiscard]] double ranked_surprise(std::size_t i) const { return ranked_[i]; }
    [[nodiscard]] std::span<const double> ranked_surprises(std::size_t type) const {
        return std::span(ranked_).subspan(begin_[type], begin_[type + 1] - begin_[type]);
    }
    /// The node of the network; `no_node` for an added node.
    [[nodiscard]] NodeId id(std::size_t i) const { return ids_[i]; }
    [[nodiscard]] const FeatureSet& set() const { return set_; }

  private:
    void sort_by_type(const Network& network);
    void rank();
    void pair_up();
    template <typename Change, typename Set>
    void each_value(const Network& network, NodeId node, const Change& change, Set set) const;
    void fill_rows(const Network& network);
    [[nodiscard]] bool is_before(const Network& network, NodeId a, NodeId b) const;
    [[nodiscard]] double surprise_of(const double* row) const;

    FeatureSet set_;
    Pose pose_;
    PoseChange change_;
    std::vector<std::uint32_t> type_of_; ///< by type: its type in this pose
    ClutterDensities clutter_densities_;
    bool has_survivors_; ///< whether features of survivors are in use
    std::vector<std::uint32_t> begin_;
    std::vector<NodeId> ids_;
    std::vector<double> values_; ///< by node, then feature
    std::vector<Lanes> doubled_; ///< see `doubled`
    std::vector<Lanes> pairs_;   ///< see `pairs`
    std::vector<double> surprise_;
    std::vector<double> ranked_;
};

/// One for each pose that the parameters allow.
[[nodiscard]] std::vector<ObservationFeatures> make_observation_features(const ConstellationParams& params,
                                                                         std::size_t types);

} // namespace sprig::constellation
