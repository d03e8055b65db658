#pragma once

#include <cstdint>
#include <vector>

#include "vision/contours.h"
#include "vision/directions.h"

namespace sprig {

/// A point where a contour turns back along a direction; it becomes a node.
struct ChangePoint {
    std::int32_t x2 = 0; ///< twice the x coordinate, in px of the binarized image, so that halves are exact
    std::int32_t y2 = 0;
    std::uint32_t type = 0;      ///< ChangeKind::index()
    std::uint32_t contour = 0;   ///< in canonical order
    std::uint32_t place = 0;     ///< position along the contour, in half steps from its first point
    std::int32_t turn = 0;       ///< order among change points at the same place: see ChangePointFinder
    std::int64_t projection = 0; ///< of (x2, y2) on its direction, times Direction::unit
    std::int64_t extent = 0;     ///< of the pair in which coarsening removed it; same units

    [[nodiscard]] std::uint32_t direction() const { return type / 4; }
};

/// The point of a contour, in half px, at a position given in half steps (less than twice its length).
[[nodiscard]] inline cv::Point point_at(std::span<const cv::Point> contour, std::size_t place) {
    const std::size_t behind = (place + 1) / 2;
    return contour[place / 2] + contour[behind < contour.size() ? behind : 0];
}

/// Finds the change points of closed contours.
///
/// For each direction, only the steps along or against it count. Where their sign flips there is a change
/// point, in the middle of the steps across the direction in between. It is convex if the contour turns left
/// there, towards the ink; a full reversal occurs only at a tip of ink and counts as a left turn.
///
/// If several directions flip at one pixel, their change points are ordered as on a round tip of vanishing
/// size: by how far the contour has turned when each flips. Unlike an order by type, this is consistent under
/// mirroring and rotation.
class ChangePointFinder {
  public:
    /// Appends the change points of a contour in contour order.
    void find(const TracedContour& contour, std::uint32_t index, const std::vector<Direction>& directions,
              std::vector<ChangePoint>& points);

  private:
    /// A run of steps across a direction: from the end of step `before` to the start of step `after`.
    struct Run {
        std::size_t before;
        std::size_t after;
    };

    void compute_steps(const TracedContour& contour);
    void find_along(const Direction& direction, std::uint32_t direction_index,
                    std::vector<ChangePoint>& points);
    [[nodiscard]] ChangePoint make_change_point(const Direction& direction, std::uint32_t direction_index,
                                                Run run) const;
    [[nodiscard]] int turn_over(Run run) const;
    [[nodiscard]] std::int32_t order_at_place(const Direction& direction, Run run, int turned) const;
    std::span<const cv::Point> contour_;
    std::uint32_t contour_index_ = 0;
    std::vector<Step> steps_; ///< step i starts at point i; stored twice, so that no index wraps
};

} // namespace sprig
