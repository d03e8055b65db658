#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "vision/change_points.h"

namespace sprig {

/// One step of coarsening: a maximum and a minimum that are removed together.
struct Removal {
    std::uint32_t first = 0; ///< `second` follows it on the contour among change points of its direction
    std::uint32_t second = 0;
    std::int64_t extent = 0; ///< their distance along their direction
};

/// Computes the order in which change points disappear as the shape is coarsened: of all contours and
/// directions, the neighbouring maximum and minimum with the smallest extent are removed together and their
/// neighbours become adjacent, until nothing is left. Extents never decrease.
///
/// Ties are broken by contour, in canonical order, then by the smaller end of the pair, then by the larger
/// one. Ends are compared by (x, y, type) and then by their order on the contour.
class Coarsener {
  public:
    /// The points must be grouped by contour, in contour order. Sets their extents.
    void run(std::span<ChangePoint> points, std::size_t direction_count, std::vector<Removal>& removals);

  private:
    void link_neighbours(std::span<const ChangePoint> points, std::size_t direction_count);
    /// Stores the extent from a point to the next one.
    void update_extent(std::span<const ChangePoint> points, std::uint32_t first);
    // The pair to remove next. For few points a linear scan is faster than a heap.
    [[nodiscard]] Removal scan_for_least(std::span<const ChangePoint> points) const;
    [[nodiscard]] Removal pop_least(std::span<const ChangePoint> points);

    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::int64_t removed = std::numeric_limits<std::int64_t>::max();

    std::vector<std::uint32_t> next_; ///< of the same direction, on the same contour
    std::vector<std::uint32_t> previous_;
    std::vector<std::uint32_t> first_of_direction_;
    std::vector<std::uint32_t> last_of_direction_;
    std::vector<std::int64_t> extents_; ///< from each point to its next
    bool use_heap_ = false;
    std::vector<Removal> heap_; ///< may contain pairs that are no longer neighbours
};

} // namespace sprig
