#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sprig/front_end.h"
#include "vision/change_points.h"
#include "vision/coarsen.h"
#include "vision/counting_rank.h"

namespace sprig {

/// Builds the edges of all levels.
///
/// On each level, neighbours on a contour are joined in `contour_h`, from the smaller x to the larger, and in
/// `contour_v`, from the smaller y. Neighbours among all nodes sorted by (x, y, type) are joined in
/// `spatial_h`, and sorted by (y, x, type) in `spatial_v`; ties are broken by index. Equal coordinates along
/// the layer's axis give no edge.
///
/// Levels are computed incrementally: when a pair is removed, only the links to it end and only the gaps are
/// closed, so the total cost is proportional to the number of edges.
class LayerBuilder {
  public:
    // The fields of a 64-bit sorting key; the front end rejects images that exceed them.
    static constexpr int coordinate_bits = 15;
    static constexpr int type_bits = 7;
    static constexpr int index_bits = 27;
    static_assert((2 * coordinate_bits) + type_bits + index_bits == 64);

    /// The edges between `points`, which are the nodes in order; without `removals`, those of the finest
    /// level only. Sorted by first level, contour edges first. The result is valid until the next call.
    std::span<const Edge> build(std::span<const ChangePoint> points, std::span<const Removal> removals);

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// A linked list of nodes, or several circular ones, with the edges of each link to the next node.
    struct Chain {
        std::vector<std::uint32_t> next;
        std::vector<std::uint32_t> previous;
        std::vector<std::array<EdgeId, 2>> edges;

        void reset(std::size_t nodes);
        void unlink(std::uint32_t node);
    };

    void link_contours();
    using Coordinate = std::int32_t (ChangePoint::*)() const;
    [[nodiscard]] bool sort_few(Coordinate first, Coordinate second);
    void sort_many(Coordinate first, Coordinate second);
    void link_sorted(Chain& chain, Coordinate first, Coordinate second);
    void add_contour_edges(std::uint32_t from, std::uint32_t level);
    template <Layer layer>
    void add_spatial_edge(Chain& chain, std::uint32_t from, std::uint32_t level);
    EdgeId add_edge_along(std::uint32_t a, std::uint32_t b, std::int32_t at_a, std::int32_t at_b, Layer layer,
                          std::uint32_t level);
    void end_link(Chain& chain, std::uint32_t from, std::uint32_t level);
    template <class AddEdges>
    void remove(Chain& chain, const Removal& pair, std::uint32_t level, AddEdges add_edges);

    std::span<const ChangePoint> points_;
    std::vector<Edge> edges_; ///< with room for more
    EdgeId edge_count_ = 0;
    Chain contours_;
    Chain by_x_;
    Chain by_y_;
    CountingRank few_;
    std::vector<std::uint64_t> order_;
    std::vector<std::uint32_t> sorted_; ///< points in order
};

} // namespace sprig
