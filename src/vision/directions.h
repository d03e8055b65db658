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
    /// Whether each of the eight steps goes along (+1), against (-1) or across (0) the direction.
    std::array<int, step_count> sign{};
    /// By step: the angle of a left turn, starting at this step, until the sign flips, in units of pi / 4K.
    /// Likewise for a right turn.
    std::array<int, step_count> left_until_flip{};
    std::array<int, step_count> right_until_flip{};
    /// The unit vector times `unit`, rounded. Projections are integers, so comparisons do not depend on the
    /// position of the shape or on the machine.
    std::int64_t x = 0;
    std::int64_t y = 0;

    static constexpr std::int64_t unit = std::int64_t{1} << 20;

    /// The steps along the direction and those against it.
    [[nodiscard]] std::span<const Step> along() const { return std::span(along_steps).first(step_total); }
    [[nodiscard]] std::span<const Step> against() const { return std::span(against_steps).first(step_total); }
    std::array<Step, step_count / 2> along_steps{};
    std::array<Step, step_count / 2> against_steps{};
    std::size_t step_total = 0; ///< of each: three or four
};

[[nodiscard]] std::vector<Direction> make_directions(int count);

/// Resolution of a common rotation of all directions: parts per angle between two neighbouring directions.
inline constexpr int turn_parts = 64;
/// The same directions, rotated by `turn` parts.
void make_directions(int count, int turn, std::vector<Direction>& directions);

} // namespace sprig
