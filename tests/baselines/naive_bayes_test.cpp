#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/online_methods.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

TEST(NaiveBayes, TwoClassesComputedByHand) {
    const auto method = make_naive_bayes({.width = 1, .classes = 2}, 0.01);
    method->observe(samples({{0.2F}, {0.4F}}), 0); // mean 0.3, variance 0.01 + 0.01
    method->observe(samples({{0.4F}, {1.0F}}), 1); // mean 0.7, variance 0.09 + 0.01
    // ln 0.02 + (x - 0.3)^2 / 0.02 = ln 0.1 + (x - 0.7)^2 / 0.1 at x = 0.50039 and, because the second class
    // has the larger variance, also at x = -0.10039.
    EXPECT_EQ(predict_one(*method, {0.499F}), 0U);
    EXPECT_EQ(predict_one(*method, {0.502F}), 1U);
    EXPECT_EQ(predict_one(*method, {-0.099F}), 0U);
    EXPECT_EQ(predict_one(*method, {-0.102F}), 1U);
}

TEST(NaiveBayes, PixelsWithALowVarianceCountMore) {
    const auto method = make_naive_bayes({.width = 2, .classes = 2}, 0.001);
    // The first pixel varies in both classes, the second does not.
    method->observe(samples({{0, 0.2F}, {0.8F, 0.2F}}), 0);
    method->observe(samples({{0.2F, 0.6F}, {1, 0.6F}}), 1);
    EXPECT_EQ(predict_one(*method, {1, 0.3F}), 0U);
    EXPECT_EQ(predict_one(*method, {0, 0.5F}), 1U);
}

TEST(NaiveBayes, OneImageIsEnough) {
    const auto method = make_naive_bayes({.width = 1, .classes = 2}, 0.01);
    method->observe(samples({{0}}), 0);
    method->observe(samples({{1}}), 1);
    EXPECT_EQ(predict_one(*method, {0.49F}), 0U);
    EXPECT_EQ(predict_one(*method, {0.51F}), 1U);
}

TEST(NaiveBayes, NeedsAFloor) {
    EXPECT_THROW((void)make_naive_bayes({.width = 1, .classes = 2}, 0), Error);
}

TEST(NaiveBayes, KeepsTwoMomentsAndACount) {
    const auto method = make_naive_bayes({.width = 784, .side = 28, .classes = 10}, 0.02);
    method->observe(samples({Row(784)}), 3);
    method->observe(samples({Row(784)}), 4);
    EXPECT_EQ(method->memory_use().model, 2U * (2 * 784 * 4 + 4));
    EXPECT_EQ(method->memory_use().data, 0U);
    EXPECT_EQ(method->memory_use().images, 0U);
}

} // namespace
} // namespace sprig::baselines
