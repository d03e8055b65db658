#include "vision/directions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

namespace sprig {
namespace {

using testing::ElementsAre;

TEST(Directions, OfTheAxes) {
    const std::vector<Direction> axes = make_directions(2);
    //                                        right     up        left      down
    EXPECT_THAT(axes[0].sign, ElementsAre(1, 1, 0, -1, -1, -1, 0, 1)) << "x";
    EXPECT_THAT(axes[1].sign, ElementsAre(0, -1, -1, -1, 0, 1, 1, 1)) << "y points down";
    EXPECT_EQ(axes[0].x, Direction::unit);
    EXPECT_EQ(axes[0].y, 0);
    EXPECT_EQ(axes[1].x, 0);
    EXPECT_EQ(axes[1].y, Direction::unit);
}

// Signs are computed with integers; the test compares them with the cosine.
TEST(Directions, SignsMatchTheProjection) {
    for (int k = 1; k <= 32; ++k) {
        const std::vector<Direction> directions = make_directions(k);
        for (int a = 0; a < k; ++a) {
            for (int step = 0; step < step_count; ++step) {
                const double projected = std::cos((std::numbers::pi * a / k) + (std::numbers::pi * step / 4));
                const int sign = std::abs(projected) < 1e-9 ? 0 : (projected > 0 ? 1 : -1);
                EXPECT_EQ(directions[static_cast<std::size_t>(a)].sign[static_cast<std::size_t>(step)], sign)
                    << "direction " << a << " of " << k << ", step " << step;
            }
        }
    }
}

// In a left turn that starts down right, y flips first (at right), x a quarter turn later.
TEST(Directions, FlipsAreOrderedByAngle) {
    const std::vector<Direction> axes = make_directions(2);
    constexpr Step down_right = 7;
    constexpr Step up_left = 3;
    constexpr Step left = 4;
    constexpr Step up = 2;
    const auto order = [&](std::size_t axis, Step last, Step next) {
        return axes[axis].turn(last, next) >> Direction::type_bits;
    };
    const auto is_concave = [&](std::size_t axis, Step last, Step next) {
        return axes[axis].turn(last, next) % 2 == 1;
    };
    EXPECT_FALSE(is_concave(0, down_right, up_left)) << "half a turn";
    EXPECT_LT(order(1, down_right, up_left), order(0, down_right, up_left));
    EXPECT_TRUE(is_concave(0, down_right, left));
    EXPECT_GT(order(0, down_right, left), 0U);
    EXPECT_EQ(order(0, down_right, up), 0U) << "x flips after the steps across";
}

TEST(Directions, StepsAreListedBySign) {
    for (int k = 1; k <= 32; ++k) {
        for (const Direction& direction : make_directions(k)) {
            for (Step step = 0; step < step_count; ++step) {
                const auto count = [step](const auto& steps) { return std::ranges::count(steps, step); };
                EXPECT_EQ(count(direction.along_steps), direction.sign[step] > 0 ? 1 : 0);
                EXPECT_EQ(count(direction.against_steps), direction.sign[step] < 0 ? 1 : 0);
            }
        }
    }
}

} // namespace
} // namespace sprig
