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

/// One of K evenly spaced directions, at the angle pi * a / K from x towards y (y points down).
struct Direction {
    /// The unit vector times `unit`, rounded. Projections are integers, so comparisons do not depend on the
    /// position of the shape or on the machine.
    std::int64_t x = 0;
    std::int64_t y = 0;
    static constexpr std::int64_t unit = std::int64_t{1} << 20;

    /// Whether each of the eight steps goes along (+1), against (-1) or across (0) the direction.
    std::array<int, step_count> sign{};
    /// The steps along the direction and those against it: three or four of each. Others are `step_count`.
    std::array<Step, step_count / 2> along_steps{};
    std::array<Step, step_count / 2> against_steps{};

    /// What is known of a flip, from going along the direction to going against it or back, by how the
    /// contour turns there: its order among flips at the same place, then its type as if it was a maximum.
    [[nodiscard]] std::uint32_t turned(bool is_left, int order) const {
        return (static_cast<std::uint32_t>(order) << type_bits) | (first_type + (is_left ? 0U : 1U));
    }
    /// The same by the last step before the flip and the next one, which goes the other way or across. Steps
    /// across go on in a straight line here. If there are none, the order is the angle of the turn until the
    /// sign flips, in units of pi / 4K; otherwise it is 0.
    [[nodiscard]] std::uint32_t turn(Step last, Step next) const { return turns[(last * step_count) + next]; }
    static constexpr unsigned type_bits = 7;
    std::uint32_t first_type = 0; ///< ChangeKind::index() of its maxima that are convex
    std::array<std::uint32_t, 1UL * step_count * step_count> turns{};
};

[[nodiscard]] std::vector<Direction> make_directions(int count);

/// Resolution of a common rotation of all directions: parts per angle between two neighbouring directions.
inline constexpr int turn_parts = 64;
/// The same directions, rotated by `turn` parts.
void make_directions(int count, int turn, std::vector<Direction>& directions);

} // namespace sprig
