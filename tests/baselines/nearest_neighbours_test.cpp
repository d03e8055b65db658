#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/online_methods.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

constexpr Task on_a_line = {.width = 1, .classes = 3};

/// An image of one pixel with a grey level.
Row at(int step) {
    return {static_cast<float>(step) / 255};
}

TEST(NearestNeighbours, TheNearestOne) {
    const auto method = make_nearest_neighbours(on_a_line, 1);
    method->observe(samples({at(10), at(50)}), 1);
    method->observe(samples({at(41)}), 2);
    EXPECT_EQ(predict_one(*method, at(25)), 1U);
    EXPECT_EQ(predict_one(*method, at(26)), 2U);
    EXPECT_EQ(predict_one(*method, at(45)), 2U);
    EXPECT_EQ(predict_one(*method, at(46)), 1U);
}

TEST(NearestNeighbours, OfTwoAtTheSameDistanceTheEarlier) {
    const auto method = make_nearest_neighbours(on_a_line, 1);
    method->observe(samples({at(12)}), 2);
    method->observe(samples({at(10)}), 0);
    method->observe(samples({at(10)}), 1);
    EXPECT_EQ(predict_one(*method, at(11)), 2U);
    EXPECT_EQ(predict_one(*method, at(10)), 0U);
}

TEST(NearestNeighbours, TheMajorityOfThreeWins) {
    const auto method = make_nearest_neighbours(on_a_line, 3);
    method->observe(samples({at(100)}), 0);
    method->observe(samples({at(90), at(111), at(200)}), 1);
    EXPECT_EQ(predict_one(*method, at(100)), 1U); // although the nearest one has class 0
    EXPECT_EQ(predict_one(*make_nearest_neighbours(on_a_line, 3), at(100)), 0U);
}

TEST(NearestNeighbours, WithEqualVotesTheNearestWins) {
    const auto method = make_nearest_neighbours(on_a_line, 3);
    method->observe(samples({at(130)}), 0);
    method->observe(samples({at(110)}), 2);
    method->observe(samples({at(95)}), 1);
    EXPECT_EQ(predict_one(*method, at(100)), 1U);
    EXPECT_EQ(predict_one(*method, at(105)), 2U);
    EXPECT_EQ(predict_one(*method, at(125)), 0U);
    // Two classes with two votes each: the one with the nearest image wins.
    const auto of_four = make_nearest_neighbours(on_a_line, 4);
    of_four->observe(samples({at(80), at(104)}), 2);
    of_four->observe(samples({at(98), at(102)}), 0);
    of_four->observe(samples({at(0)}), 1);
    EXPECT_EQ(predict_one(*of_four, at(100)), 0U);
    EXPECT_EQ(predict_one(*of_four, at(104)), 2U);
}

TEST(NearestNeighbours, WithFewerImagesThanNeighbours) {
    const auto method = make_nearest_neighbours(on_a_line, 3);
    method->observe(samples({at(10)}), 2);
    EXPECT_EQ(predict_one(*method, at(200)), 2U);
    method->observe(samples({at(180)}), 1);
    EXPECT_EQ(predict_one(*method, at(200)), 1U);
}

TEST(NearestNeighbours, KeepsAByteForEachPixelAndLabel) {
    const auto method = make_nearest_neighbours({.width = 784, .side = 28, .classes = 10}, 1);
    EXPECT_EQ(method->memory_use().bytes(), 0U);
    method->observe(samples({Row(784), Row(784)}), 3);
    method->observe(samples({Row(784)}), 9);
    EXPECT_EQ(method->memory_use().images, 3U);
    EXPECT_EQ(method->memory_use().data, 3U * (784 + 1));
    EXPECT_EQ(method->memory_use().model, 0U);
}

TEST(NearestNeighbours, RejectsWrongOptions) {
    EXPECT_THROW((void)make_nearest_neighbours(on_a_line, 0), Error);
    EXPECT_THROW((void)make_nearest_neighbours({.width = 1, .classes = 257}, 1), Error);
    EXPECT_NO_THROW((void)make_nearest_neighbours({.width = 1, .classes = 256}, 1));
}

} // namespace
} // namespace sprig::baselines
