#pragma once

#include <cstdint>
#include <limits>
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
/// Ties are broken by the contour, in canonical order, then by the pair's lesser end, then by the other one;
/// ends are compared by (x, y, type) and, where all of these agree, in the order of the walk.
class Coarsener {
  public:
    /// Expects the points contour by contour in walking order; fills in their extents.
    void run(std::span<ChangePoint> points, std::size_t direction_count, std::vector<Removal>& removals);

  private:
    void link_neighbours(std::span<const ChangePoint> points, std::size_t direction_count);
    /// Notes how far a point is from the next one.
    void offer(std::span<const ChangePoint> points, std::uint32_t first);
    // The pair to go next: a few are looked through, which is faster than a heap; many are kept in one.
    [[nodiscard]] Removal least_of_few(std::span<const ChangePoint> points) const;
    [[nodiscard]] Removal least_of_many(std::span<const ChangePoint> points);

    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::int64_t gone = std::numeric_limits<std::int64_t>::max();

    std::vector<std::uint32_t> next_; ///< of the same direction, on the same contour
    std::vector<std::uint32_t> previous_;
    std::vector<std::uint32_t> first_of_direction_;
    std::vector<std::uint32_t> last_of_direction_;
    std::vector<std::int64_t> extents_; ///< from each point to its next
    bool many_ = false;
    std::vector<Removal> heap_; ///< with pairs that are no longer neighbours among them
};

} // namespace sprig
