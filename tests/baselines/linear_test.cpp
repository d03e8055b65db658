#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/online_methods.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

constexpr Task two_classes = {.width = 2, .classes = 2};

/// Three images. With a limit of 1 they give (all numbers are exact):
///   (1, 0) of class 0: no rival, no change;
///   (0, 1) of class 1: loss 1, step 1 / (2 * 2) = 1/4;
///   (1, 0) of class 0: scores -1/4 and 1/4, loss 3/2, step 3/8.
/// Then class 1 leads by -3/4 x + 1/2 y - 1/4.
std::unique_ptr<Strategy> after_three_steps(double most_aggressive) {
    auto method = make_passive_aggressive(two_classes, most_aggressive);
    method->observe(samples({{1, 0}}), 0);
    method->observe(samples({{0, 1}}), 1);
    method->observe(samples({{1, 0}}), 0);
    return method;
}

TEST(PassiveAggressive, StepsComputedByHand) {
    const auto method = after_three_steps(1);
    EXPECT_EQ(predict_one(*method, {0.333F, 1}), 1U);
    EXPECT_EQ(predict_one(*method, {0.334F, 1}), 0U);
    EXPECT_EQ(predict_one(*method, {0, 0.51F}), 1U);
    EXPECT_EQ(predict_one(*method, {0, 0.49F}), 0U);
}

TEST(PassiveAggressive, AStepHasALimit) {
    // The third step is 0.3 instead of 3/8: class 1 leads by -0.6 x + 1/2 y - 0.1.
    const auto method = after_three_steps(0.3);
    EXPECT_EQ(predict_one(*method, {0.665F, 1}), 1U);
    EXPECT_EQ(predict_one(*method, {0.668F, 1}), 0U);
    EXPECT_THROW((void)make_passive_aggressive(two_classes, 0), Error);
}

TEST(PassiveAggressive, DoesNotUpdateIfTheMarginIsReached) {
    const auto method = after_three_steps(1);
    method->observe(samples({{1, 0}, {1, 0}}), 0); // leads by exactly 1
    EXPECT_EQ(predict_one(*method, {0.333F, 1}), 1U);
    EXPECT_EQ(predict_one(*method, {0.334F, 1}), 0U);
}

TEST(PassiveAggressive, AClassNeverSeenIsNoRival) {
    // If the third class were a rival of the first image, class 0 would have gained weights and would win
    // here.
    const auto method = make_passive_aggressive({.width = 2, .classes = 3}, 1);
    method->observe(samples({{1, 0}}), 0);
    method->observe(samples({{0, 1}}), 1);
    EXPECT_EQ(predict_one(*method, {1, 0}), 1U); // by the bias alone
}

TEST(PassiveAggressive, KeepsWeightsAndABiasForEachClassSeen) {
    const auto method = make_passive_aggressive({.width = 784, .side = 28, .classes = 10}, 0.004);
    for (const std::size_t label : Labels{1, 1, 5, 7}) method->observe(samples({Row(784)}), label);
    EXPECT_EQ(method->memory_use().model, 3U * (785 * 4 + 4));
    EXPECT_EQ(method->memory_use().data, 0U);
    EXPECT_EQ(method->memory_use().images, 0U);
}

} // namespace
} // namespace sprig::baselines
