#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sprig/front_end.h"
#include "vision/contours.h"
#include "vision/counting_rank.h"
#include "vision/directions.h"

namespace sprig {

/// A point where a contour turns back along a direction; it becomes a node.
struct ChangePoint {
    PackedPoint at;            ///< doubled, in px of the binarized image, so that halves are exact
    std::uint32_t type = 0;    ///< ChangeKind::index()
    std::uint32_t contour = 0; ///< in canonical order
    std::uint32_t place = 0;   ///< position along the contour, in half steps from its first point
    std::int64_t extent = 0;   ///< of the pair in which coarsening removed it; in units of a projection

    [[nodiscard]] std::int32_t x2() const { return at.x(); }
    [[nodiscard]] std::int32_t y2() const { return at.y(); }
};

/// Change points of all contours, grouped by contour, in contour order. A ring is the cycle of the points of
/// one contour that belong to one direction; in it, maxima and minima alternate.
struct ChangePoints {
    std::vector<ChangePoint> points;
    std::vector<std::uint32_t> ring_members; ///< indices of points, ring by ring
    std::vector<std::int64_t> projections;   ///< by member: of `at` on its direction, times Direction::unit
    std::vector<std::uint32_t> ring_ends;    ///< by ring: one past its last member

    void clear();
};

/// Finds the change points of closed contours.
///
/// For each direction, only the steps along or against it count. Where their sign flips there is a change
/// point, in the middle of the steps across the direction in between. It is convex if the contour turns left
/// there, towards the ink; a full reversal occurs only at a tip of ink and counts as a left turn.
///
/// If several directions flip at one pixel, their change points are ordered as on a round tip of vanishing
/// size: by how far the contour has turned when each flips. Unlike an order by type, this is consistent under
/// mirroring and rotation.
///
/// The steps of a contour are kept as eight rows of bits, one for each kind of step. The steps along and
/// against a direction are the union of some of them, and the next flip is found by counting zeros.
class ChangePointFinder {
  public:
    /// Appends the change points of a contour.
    void find(const TracedContour& contour, std::uint32_t index, std::span<const Direction> directions,
              ChangePoints& result);

  private:
    /// Whether each step is of each kind, for 64 steps; the last row is empty.
    using StepBits = std::array<std::uint64_t, step_count + 1>;
    void map_steps();
    void find_along(const Direction& direction);
    void find_flips(const Direction& direction, std::ptrdiff_t before, bool goes_along);
    [[nodiscard]] std::span<const std::uint32_t> rank_found();
    [[nodiscard]] std::span<const std::uint32_t> rank_many();
    void append_found(std::uint32_t contour, std::span<const Direction> directions, ChangePoints& result);

    TracedContour contour_;
    std::size_t size_ = 0; ///< steps of the contour
    std::vector<StepBits> steps_;
    bool has_spikes_ = false; ///< whether the contour turns back on itself somewhere
    std::vector<std::uint64_t> along_;
    std::vector<std::uint64_t> against_;
    /// Of each change point of this contour, by direction: place, order at that place and type in one number,
    /// by which they are ordered along the contour. With room for more.
    std::vector<std::uint64_t> found_;
    std::size_t found_count_ = 0;
    std::vector<std::uint32_t> found_ends_; ///< by direction
    CountingRank few_;
    std::vector<std::uint32_t> ranks_;                           ///< of many found points
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order_; ///< key and index
};

} // namespace sprig
