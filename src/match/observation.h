#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "network/bit_network.h"
#include "sprig/network.h"

namespace sprig::match {

inline constexpr std::size_t max_dimensions = 3;

/// A position or a displacement. Coordinates beyond the dimensions of the network are 0.
struct Point {
    std::array<double, max_dimensions> at = {};

    [[nodiscard]] double operator[](std::size_t axis) const { return at[axis]; }
    [[nodiscard]] double& operator[](std::size_t axis) { return at[axis]; }
    friend Point operator-(const Point& a, const Point& b) {
        return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
    }
    [[nodiscard]] double squared_length() const {
        return (at[0] * at[0]) + (at[1] * at[1]) + (at[2] * at[2]);
    }
    bool operator==(const Point&) const = default;
};

/// Maximum number of nodes of an observation.
inline constexpr std::size_t max_nodes = 1024;

/// The kinds of neighbours of a node: one bit for each layer, direction and neighbour type, modulo 64. An
/// observed node must have all bits of the pattern node placed on it.
using Signature = std::uint64_t;
[[nodiscard]] constexpr Signature signature_bit(std::uint32_t layer, bool outgoing, std::uint32_t type,
                                                std::size_t types) {
    return Signature{1} << ((((layer * 2U) + (outgoing ? 1U : 0U)) * types + type) % 64U);
}

/// An observed network, prepared for searching. Its nodes are numbered in canonical order (by position, then
/// type), so that results do not depend on how the network numbers them.
class Observation {
  public:
    /// Replaces the content by a network and reuses the memory. Throws Error(bad_input) if it has more than
    /// `max_nodes` nodes or more than `max_dimensions` coordinates.
    void assign(const Network& network);

    [[nodiscard]] std::size_t node_count() const { return original_.size(); }
    [[nodiscard]] std::size_t words() const { return bits_.words(); }
    [[nodiscard]] std::uint32_t type(std::uint32_t node) const { return types_[node]; }
    [[nodiscard]] const Point& position(std::uint32_t node) const { return positions_[node]; }
    [[nodiscard]] Signature signature(std::uint32_t node) const { return signatures_[node]; }
    /// The number of a node in the network.
    [[nodiscard]] NodeId original(std::uint32_t node) const { return original_[node]; }
    [[nodiscard]] const BitNetwork& bits() const { return bits_; }

    struct Edge {
        std::uint32_t layer = 0;
        std::uint32_t from = 0;
        std::uint32_t to = 0;

        bool operator==(const Edge&) const = default;
        friend bool operator<(const Edge& a, const Edge& b) {
            return std::tie(a.layer, a.from, a.to) < std::tie(b.layer, b.from, b.to);
        }
    };
    /// The edges in canonical order. Sorted on first use, because prediction does not need them.
    [[nodiscard]] const std::vector<Edge>& sorted_edges() const;

  private:
    std::vector<NodeId> original_;
    std::vector<NodeId> rank_; ///< the inverse of `original_`
    std::vector<std::uint32_t> types_;
    std::vector<Point> positions_;
    std::vector<Signature> signatures_;
    mutable std::vector<Edge> edges_;
    mutable bool edges_are_sorted_ = false;
    BitNetwork bits_;
};

} // namespace sprig::match
