#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constellation/features.h"
#include "sprig/network.h"

namespace sprig::constellation {

/// An observation as units look at it: its nodes by type, in an order that does not depend on how the network
/// numbers them, each with its features and with how surprising it would be as mere clutter. Keeps its memory
/// from one observation to the next.
class Sight {
  public:
    Sight(const ConstellationParams& params, std::size_t types);

    void assign(const Network& network);

    [[nodiscard]] std::size_t size() const { return ids_.size(); }
    [[nodiscard]] std::size_t types() const { return begin_.size() - 1; }
    /// The nodes of a type are those from `begin(type)` to `begin(type + 1)`.
    [[nodiscard]] std::uint32_t begin(std::size_t type) const { return begin_[type]; }
    [[nodiscard]] const double* features(std::size_t i) const { return values_.data() + (i * set_.size()); }
    /// Minus the logarithm of the density it would have as clutter.
    [[nodiscard]] double surprise(std::size_t i) const { return surprise_[i]; }
    /// The same numbers once more, but within each type the greatest first: for bounds.
    [[nodiscard]] double ranked_surprise(std::size_t i) const { return ranked_[i]; }
    /// Which node of the network it is.
    [[nodiscard]] NodeId id(std::size_t i) const { return ids_[i]; }
    [[nodiscard]] const FeatureSet& set() const { return set_; }

  private:
    void sort_by_type(const Network& network);
    [[nodiscard]] bool is_before(const Network& network, NodeId a, NodeId b) const;
    void measure(const Network& network, NodeId node, double* row) const;
    [[nodiscard]] double surprise_of(const double* row) const;

    FeatureSet set_;
    double clutter_; ///< minus the logarithm of the density of positions of clutter
    std::vector<std::uint32_t> begin_;
    std::vector<NodeId> ids_;
    std::vector<double> values_; ///< by node, then feature
    std::vector<double> surprise_;
    std::vector<double> ranked_;
};

} // namespace sprig::constellation
