#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>
#include <vector>

#include "sprig/front_end.h"
#include "sprig/network.h"

namespace sprig::test {

/// A literal, unoptimised implementation of the paper's coarsening, independent of the front end. On every
/// level it examines all pairs and recomputes all edges, and keeps their union with first and last level. Its
/// input are the nodes of a network of the front end (at scale 1).
class ReferenceLayers {
  public:
    explicit ReferenceLayers(const Network& network)
        : network_(network), directions_(static_cast<int>(network.schema().node_types.size() / 4)) {
        for (NodeId n = 0; n < network.node_count(); ++n) alive_.push_back(n);
        number_contours();
        for (level_ = 0; !alive_.empty(); ++level_) {
            accumulate();
            remove_least_pair();
        }
    }

    /// (layer, from, to) to (first level, last level).
    using Edges =
        std::map<std::tuple<std::uint32_t, NodeId, NodeId>, std::pair<std::uint32_t, std::uint32_t>>;
    [[nodiscard]] const Edges& edges() const { return edges_; }
    [[nodiscard]] double persistence(NodeId node) const { return persistence_.at(node); }

  private:
    [[nodiscard]] double x(NodeId n) const { return network_.coordinate(n, 0); }
    [[nodiscard]] double y(NodeId n) const { return network_.coordinate(n, 1); }
    [[nodiscard]] auto place(NodeId n) const { return std::tuple(x(n), y(n), network_.type(n), n); }
    [[nodiscard]] int axis(NodeId n) const { return ChangeKind::from_index(network_.type(n)).direction; }

    static constexpr std::int64_t unit = 1 << 20;

    /// The length of a displacement along a direction, in half px; the direction vector is rounded to 1 /
    /// unit.
    [[nodiscard]] std::int64_t along(int direction, double dx, double dy) const {
        const double angle = std::numbers::pi * direction / directions_;
        return (std::llround(2 * dx) * std::llround(std::cos(angle) * unit)) +
               (std::llround(2 * dy) * std::llround(std::sin(angle) * unit));
    }

    void number_contours() {
        contour_.assign(network_.node_count(), -1);
        int count = 0;
        for (NodeId n = 0; n < network_.node_count(); ++n) {
            if (contour_[n] >= 0) continue;
            for (NodeId m = n; contour_[m] < 0; m = network_.next(m)) contour_[m] = count;
            ++count;
        }
    }

    /// The remaining nodes of a contour, or of one axis of it, in contour order.
    [[nodiscard]] std::vector<NodeId> ring(int contour, int axis_wanted) const {
        std::vector<NodeId> nodes;
        for (const NodeId n : alive_) {
            if (contour_[n] == contour && (axis_wanted < 0 || axis(n) == axis_wanted)) nodes.push_back(n);
        }
        return nodes;
    }

    [[nodiscard]] int contour_count() const {
        return contour_.empty() ? 0 : *std::max_element(contour_.begin(), contour_.end()) + 1;
    }

    void accumulate(Layer layer, NodeId a, NodeId b, double at_a, double at_b) {
        if (at_a == at_b) return;
        if (at_a > at_b) std::swap(a, b);
        const auto [found, is_new] =
            edges_.try_emplace({static_cast<std::uint32_t>(layer), a, b}, level_, level_);
        if (!is_new) found->second.second = level_;
    }

    void accumulate() {
        for (int c = 0; c < contour_count(); ++c) {
            const std::vector<NodeId> nodes = ring(c, -1);
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                const NodeId a = nodes[i];
                const NodeId b = nodes[(i + 1) % nodes.size()];
                accumulate(Layer::contour_h, a, b, x(a), x(b));
                accumulate(Layer::contour_v, a, b, y(a), y(b));
            }
        }
        std::vector<NodeId> sorted = alive_;
        std::sort(sorted.begin(), sorted.end(), [this](NodeId a, NodeId b) { return place(a) < place(b); });
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            accumulate(Layer::spatial_h, sorted[i - 1], sorted[i], x(sorted[i - 1]), x(sorted[i]));
        }
        std::sort(sorted.begin(), sorted.end(), [this](NodeId a, NodeId b) {
            return std::tuple(y(a), x(a), network_.type(a), a) < std::tuple(y(b), x(b), network_.type(b), b);
        });
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            accumulate(Layer::spatial_v, sorted[i - 1], sorted[i], y(sorted[i - 1]), y(sorted[i]));
        }
    }

    void remove_least_pair() {
        using Place = std::tuple<double, double, std::uint32_t, NodeId>;
        std::tuple<std::int64_t, int, Place, Place> best{std::numeric_limits<std::int64_t>::max(), 0, {}, {}};
        for (int c = 0; c < contour_count(); ++c) {
            for (int a = 0; a < directions_; ++a) {
                const std::vector<NodeId> nodes = ring(c, a);
                for (std::size_t i = 0; i < nodes.size(); ++i) {
                    const NodeId u = nodes[i];
                    const NodeId v = nodes[(i + 1) % nodes.size()];
                    const std::int64_t extent = std::abs(along(a, x(u) - x(v), y(u) - y(v)));
                    best = std::min(best,
                                    {extent, c, std::min(place(u), place(v)), std::max(place(u), place(v))});
                }
            }
        }
        for (const NodeId n : {std::get<3>(std::get<2>(best)), std::get<3>(std::get<3>(best))}) {
            persistence_[n] = static_cast<double>(std::get<0>(best)) / static_cast<double>(2 * unit);
            alive_.erase(std::find(alive_.begin(), alive_.end(), n));
        }
    }

    const Network& network_;
    int directions_;
    std::vector<NodeId> alive_;
    std::vector<int> contour_;
    std::uint32_t level_ = 0;
    Edges edges_;
    std::map<NodeId, double> persistence_;
};

} // namespace sprig::test
