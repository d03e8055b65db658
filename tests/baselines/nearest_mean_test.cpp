#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/online_methods.h"

namespace sprig::baselines {
namespace {

TEST(NearestMean, OfThreeGroupsOfPoints) {
    const auto method = make_nearest_mean({.width = 2, .classes = 3});
    method->observe(samples({{0, 0}, {0.2F, 0}}), 0); // mean (0.1, 0)
    method->observe(samples({{1, 0}}), 1);
    method->observe(samples({{0, 1}, {0, 0.6F}}), 2); // mean (0, 0.8)
    EXPECT_EQ(predict_one(*method, {0.54F, 0}), 0U);
    EXPECT_EQ(predict_one(*method, {0.56F, 0}), 1U);
    EXPECT_EQ(predict_one(*method, {0, 0.39F}), 0U);
    EXPECT_EQ(predict_one(*method, {0, 0.41F}), 2U);
    // A later image moves the mean: now it is (0.4, 0).
    method->observe(samples({{1, 0}}), 0);
    EXPECT_EQ(predict_one(*method, {0.69F, 0}), 0U);
    EXPECT_EQ(predict_one(*method, {0.71F, 0}), 1U);
}

TEST(NearestMean, OfTwoAtTheSameDistanceTheFirst) {
    const auto method = make_nearest_mean({.width = 1, .classes = 3});
    method->observe(samples({{1}}), 2);
    method->observe(samples({{0}}), 1);
    EXPECT_EQ(predict_one(*method, {0.5F}), 1U);
}

TEST(NearestMean, KeepsTheMeansAndCountsOfTheClassesSeen) {
    const auto method = make_nearest_mean({.width = 784, .side = 28, .classes = 10});
    EXPECT_EQ(method->memory_use().bytes(), 0U);
    method->observe(samples({Row(784), Row(784)}), 3);
    method->observe(samples({Row(784)}), 9);
    EXPECT_EQ(method->memory_use().model, 2U * (784 * 4 + 4));
    EXPECT_EQ(method->memory_use().data, 0U);
    EXPECT_EQ(method->memory_use().images, 0U);
}

} // namespace
} // namespace sprig::baselines
