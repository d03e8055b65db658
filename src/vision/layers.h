#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sprig/front_end.h"
#include "vision/change_points.h"
#include "vision/coarsen.h"

namespace sprig {

/// Finds the edges of every level.
///
/// On each level every two neighbours on a contour are joined in `contour_h`, from the smaller x to the
/// larger, and in `contour_v`, from the smaller y; and every two neighbours among all nodes sorted by
/// (x, y, type) in `spatial_h`, by (y, x, type) in `spatial_v`, and where these agree in the order of the
/// nodes. Equal coordinates along the layer's axis give no edge.
///
/// Nothing is computed anew on a level: when a pair goes, only the links to it end and only the gap it
/// leaves is closed, so that all levels together cost as much as there are edges.
class LayerBuilder {
  public:
    // What fits into a sorting key of 64 bits; the front end refuses images that go beyond.
    static constexpr int coordinate_bits = 15;
    static constexpr int type_bits = 7;
    static constexpr int index_bits = 27;
    static_assert((2 * coordinate_bits) + type_bits + index_bits == 64);

    /// The edges over `points`, which are the nodes in their order; without `removals`, those of the
    /// finest level. By first level, within it contour edges first; valid until the next call.
    std::span<const Edge> build(std::span<const ChangePoint> points, std::span<const Removal> removals);

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Nodes in a row, or in several rings, and the edges that each link to the next stands for.
    struct Chain {
        std::vector<std::uint32_t> next;
        std::vector<std::uint32_t> previous;
        std::vector<std::array<EdgeId, 2>> edges;

        void reset(std::size_t nodes);
        void unlink(std::uint32_t node);
    };

    void link_contours();
    void link_sorted(Chain& chain, std::int32_t ChangePoint::*first, std::int32_t ChangePoint::*second);
    void draw_contour(std::uint32_t from, std::uint32_t level);
    template <Layer layer>
    void draw_sorted(Chain& chain, std::uint32_t from, std::uint32_t level);
    EdgeId draw_along(std::uint32_t a, std::uint32_t b, std::int32_t at_a, std::int32_t at_b, Layer layer,
                      std::uint32_t level);
    void end_link(Chain& chain, std::uint32_t from, std::uint32_t level);
    template <class Draw>
    void remove(Chain& chain, const Removal& pair, std::uint32_t level, Draw draw);

    std::span<const ChangePoint> points_;
    std::vector<Edge> edges_;
    Chain contours_;
    Chain by_x_;
    Chain by_y_;
    std::vector<std::uint64_t> order_;
    std::vector<std::uint64_t> sorted_;
};

} // namespace sprig
