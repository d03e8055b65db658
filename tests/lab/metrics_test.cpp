#include "lab/measures/metrics.h"

#include <cmath>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::lab {
namespace {

/// Two cycles of three classes, every number chosen by hand.
AccuracyMatrix example() {
    AccuracyMatrix a(2, 3);
    a.set(0, 0, {1.0, 0.0, 0.0});
    a.set(0, 1, {0.5, 0.8, 0.0});
    a.set(0, 2, {0.7, 0.4, 0.3}); // class 2 is at the threshold, not above it
    a.set(1, 0, {0.6, 0.4, 0.2});
    a.set(1, 1, {0.9, 0.5, 0.1});
    a.set(1, 2, {0.3, 0.6, 0.9});
    return a;
}

AccuracyMatrix only_the_end() {
    AccuracyMatrix a(2, 3);
    a.set(1, 2, {0.3, 0.6, 0.9});
    return a;
}

TEST(Metrics, MeanAndDeviation) {
    EXPECT_DOUBLE_EQ(*mean(std::vector<double>{1, 2, 6}), 3);
    EXPECT_DOUBLE_EQ(*deviation(std::vector<double>{1, 2, 6}), std::sqrt(7.0)); // (4 + 1 + 9) / 2
    EXPECT_FALSE(mean({}));
    EXPECT_FALSE(deviation(std::vector<double>{1}));
}

TEST(Metrics, Accuracy) {
    EXPECT_DOUBLE_EQ(*accuracy(example(), 0, 1), 1.3 / 3);
    EXPECT_DOUBLE_EQ(*accuracy_at_end_of(example(), 0), 1.4 / 3);
    EXPECT_DOUBLE_EQ(*final_accuracy(example()), 0.6);
    EXPECT_DOUBLE_EQ(*final_accuracy(only_the_end()), 0.6);
    EXPECT_FALSE(accuracy(only_the_end(), 0, 1));
    EXPECT_FALSE(accuracy(example(), 2, 0));
}

TEST(Metrics, EarlyIsTheMeanOfTheFirstThreeCycles) {
    AccuracyMatrix a(4, 1);
    for (std::size_t cycle = 0; cycle < 4; ++cycle)
        a.set(cycle, 0, {std::vector<double>{0.1, 0.3, 0.8, 1.0}[cycle]});
    EXPECT_DOUBLE_EQ(*early_accuracy(a), 0.4);
    EXPECT_DOUBLE_EQ(*early_accuracy(example()), (1.4 / 3 + 0.6) / 2); // there are only two
    EXPECT_FALSE(early_accuracy(only_the_end()));
}

TEST(Metrics, WithinCycleRetention) {
    // Cycle 0: class 0 has 0.7 of 1.0 left, 0.5 at worst; class 1 has 0.4 of 0.8; class 2 does not count.
    const auto first = within_cycle_retention(example(), 1);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->pairs, 2U);
    EXPECT_DOUBLE_EQ(first->end, (0.7 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(first->worst, (0.5 + 0.5) / 2);
    // Cycle 1: class 0 has 0.3 of 0.6; class 1 has gained, which counts as 1; class 2 has just been taught.
    const auto both = within_cycle_retention(example(), 20);
    ASSERT_TRUE(both);
    EXPECT_EQ(both->pairs, 5U);
    EXPECT_DOUBLE_EQ(both->end, (0.7 + 0.5 + 0.5 + 1 + 1) / 5);
    EXPECT_DOUBLE_EQ(both->worst, (0.5 + 0.5 + 0.5 + 1 + 1) / 5);
    EXPECT_EQ(within_cycle_retention(example(), 1, 0.2)->pairs, 3U);
    EXPECT_FALSE(within_cycle_retention(example(), 1, 1.0));
    EXPECT_FALSE(within_cycle_retention(only_the_end(), 2));
}

TEST(Metrics, RetentionLossTakesEveryCheckpoint) {
    // Highest 1.0, 0.8 and 0.9 (the last one itself), final 0.3, 0.6 and 0.9.
    EXPECT_DOUBLE_EQ(*retention_loss(example()), (0.7 + 0.2 + 0.0) / 3);
    EXPECT_FALSE(retention_loss(only_the_end()));
}

TEST(Metrics, AverageForgettingLeavesOutTheLastBlock) {
    EXPECT_NEAR(*average_forgetting(example()), (0.7 + 0.2) / 2, 1e-15);
    AccuracyMatrix gained(1, 2);
    gained.set(0, 0, {0.5, 0.0});
    gained.set(0, 1, {0.75, 1.0});
    EXPECT_DOUBLE_EQ(*average_forgetting(gained), -0.25);
    EXPECT_DOUBLE_EQ(*retention_loss(gained), 0);
    EXPECT_FALSE(average_forgetting(only_the_end()));
}

TEST(Metrics, BackwardTransferIsAgainstTheFirstBlock) {
    EXPECT_NEAR(*backward_transfer(example()), ((0.3 - 1.0) + (0.6 - 0.8)) / 2, 1e-15);
    EXPECT_FALSE(backward_transfer(only_the_end()));
}

TEST(Metrics, AnytimeAccuracyIsAboutTheClassesSeen) {
    const double expected = (1.0 + 1.3 / 2 + 1.4 / 3 + 1.2 / 3 + 1.5 / 3 + 1.8 / 3) / 6;
    EXPECT_NEAR(*anytime_accuracy(example()), expected, 1e-15);
    EXPECT_FALSE(anytime_accuracy(only_the_end()));
}

TEST(Metrics, AMatrixIsRefusedWhatDoesNotFit) {
    AccuracyMatrix a(2, 3);
    EXPECT_THROW(a.set(2, 0, {0, 0, 0}), Error);
    EXPECT_THROW(a.set(0, 3, {0, 0, 0}), Error);
    EXPECT_THROW(a.set(0, 0, {0, 0}), Error);
    EXPECT_THROW(AccuracyMatrix(0, 3), Error);
    EXPECT_FALSE(a.is_complete());
    EXPECT_TRUE(example().is_complete());
}

} // namespace
} // namespace sprig::lab
