#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sprig {

/// The eight steps from a pixel to its neighbours, numbered counterclockwise on the screen: 0 is right, 2 is
/// up, 4 is left, 6 is down. One unit is 45 degrees.
using Step = std::uint8_t;
inline constexpr int step_count = 8;

/// How a contour turns where it flips from going along a direction to going against it, or back.
struct Turn {
    bool is_left = false;
    std::uint16_t order = 0; ///< among flips at the same place
};

/// One of K evenly spaced directions, at the angle pi * a / K from x towards y (y points down).
struct Direction {
    /// The unit vector times `unit`, rounded. Projections are integers, so comparisons do not depend on the
    /// position of the shape or on the machine.
    std::int64_t x = 0;
    std::int64_t y = 0;
    static constexpr std::int64_t unit = std::int64_t{1} << 20;

    std::uint32_t first_type = 0; ///< ChangeKind::index() of its maxima that are convex
    /// Whether each of the eight steps goes along (+1), against (-1) or across (0) the direction.
    std::array<int, step_count> sign{};
    /// The steps along the direction and those against it: three or four of each. Others are `step_count`.
    std::array<Step, step_count / 2> along_steps{};
    std::array<Step, step_count / 2> against_steps{};

    /// The turn at a flip, by the last step before it and the next one, which goes the other way or across.
    /// Steps across go on in a straight line here. If there are none, `order` is the angle of the turn until
    /// the sign flips, in units of pi / 4K; otherwise it is 0.
    [[nodiscard]] Turn turn(Step last, Step next) const { return turns[(last * step_count) + next]; }
    std::array<Turn, 1UL * step_count * step_count> turns{};
};

[[nodiscard]] std::vector<Direction> make_directions(int count);

/// Resolution of a common rotation of all directions: parts per angle between two neighbouring directions.
inline constexpr int turn_parts = 64;
/// The same directions, rotated by `turn` parts.
void make_directions(int count, int turn, std::vector<Direction>& directions);

} // namespace sprig
