#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sprig/front_end.h"
#include "vision/change_points.h"
#include "vision/coarsen.h"

namespace sprig {

/// Writes the edges of every level into one network.
///
/// On each level every two neighbours on a contour are joined in `contour_h`, from the smaller x to the
/// larger, and in `contour_v`, from the smaller y; and every two neighbours among all nodes sorted by
/// (x, y, type) in `spatial_h`, by (y, x, type) in `spatial_v`. Equal coordinates give no edge.
///
/// Nothing is computed anew on a level: when a pair goes, only the links to it end and only the gap it
/// leaves is closed, so that all levels together cost as much as there are edges.
class LayerBuilder {
  public:
    /// Nodes are `points`, in their order, already in `network`. Without `removals`: the finest level.
    void build(std::span<const ChangePoint> points, std::span<const Removal> removals, Network& network);

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Nodes in a row, or in several rings, and the edges that each link to the next stands for.
    struct Chain {
        std::vector<std::uint32_t> next;
        std::vector<std::uint32_t> previous;
        std::vector<std::array<EdgeId, 2>> edges;
        Layer horizontal = Layer::contour_h; ///< the layers its links are drawn in
        Layer vertical = Layer::contour_v;
        bool has_horizontal = true;
        bool has_vertical = true;

        void reset(std::size_t nodes);
        void unlink(std::uint32_t node);
    };

    void link_contours(std::span<const ChangePoint> points);
    template <class Before>
    void link_sorted(Chain& chain, std::size_t nodes, Before before);
    void draw(Chain& chain, std::uint32_t from, std::uint32_t level, Network& network) const;
    EdgeId draw_along(std::uint32_t a, std::uint32_t b, std::size_t axis, Layer layer, std::uint32_t level,
                      Network& network) const;
    void remove(Chain& chain, const Removal& pair, std::uint32_t level, Network& network) const;

    Chain contours_;
    Chain by_x_;
    Chain by_y_;
    std::vector<std::uint32_t> order_;
};

} // namespace sprig
