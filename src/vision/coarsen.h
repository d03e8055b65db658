#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vision/change_points.h"

namespace sprig {

/// One step of coarsening: a maximum and a minimum that go together.
struct Removal {
    std::uint32_t first = 0; ///< `second` follows it on the contour among change points of its direction
    std::uint32_t second = 0;
    std::int64_t extent = 0; ///< how far apart they are along their direction
};

/// Finds the order in which change points disappear as the shape is seen more and more coarsely: again
/// and again the neighbouring maximum and minimum of least extent, over all contours and directions, go
/// together, and their neighbours become neighbours, until nothing is left. Extents never decrease.
///
/// Ties are broken by the contour, in canonical order, then by the pair's ends, the lesser one first, by
/// (x, y, type).
class Coarsener {
  public:
    /// Expects the points contour by contour in walking order; fills in their extents.
    void run(std::span<ChangePoint> points, std::size_t direction_count, std::vector<Removal>& removals);

  private:
    void link_neighbours(std::span<const ChangePoint> points, std::size_t direction_count);
    void offer(std::span<const ChangePoint> points, std::uint32_t first);

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::vector<std::uint32_t> next_; ///< of the same direction, on the same contour
    std::vector<std::uint32_t> previous_;
    std::vector<std::uint32_t> first_of_direction_;
    std::vector<std::uint32_t> last_of_direction_;
    std::vector<Removal> offers_; ///< a heap; an offer is stale once its ends are no longer neighbours
};

} // namespace sprig
