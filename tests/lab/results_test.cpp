#include "lab/protocol/results.h"

#include <cmath>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::lab {
namespace {

/// One cycle of two classes with four held-out images each, of which `right` are recognised at the end.
SeedRun hand_made(std::uint64_t seed, std::size_t right) {
    SeedRun run{seed, {}, {}, AccuracyMatrix(1, 2)};
    Checkpoint first{0, 0, {{4, 0}, {4, 4}, {.reached = 8, .gave_up = 1}}, {}, {}};
    first.units.all = {1, 0};
    Checkpoint last{0, 1, {{1, right}, {4, 4}, {.reached = 20, .gave_up = 2}}, {}, {}};
    last.units = {{2, 3, 1, 30, 4000}, {2, 2}, {1, 1}, {1, 1}, {0, 1}};
    last.learned.created = 5;
    run.accuracy.set(0, 0, first.drawn.by_class());
    run.accuracy.set(0, 1, last.drawn.by_class());
    run.checkpoints = {first, last};
    run.steps = 10;
    run.prequential_correct = 4;
    run.learned.work.gave_up = 10;
    run.read.gave_up = 3;
    run.digest = 0xabc;
    return run;
}

double number(const NamedNumbers& numbers, const std::string& name) {
    for (const auto& [its_name, value] : numbers) {
        if (its_name == name && value) return *value;
    }
    ADD_FAILURE() << "there is no " << name;
    return 0;
}

TEST(Results, OfOneSeed) {
    const NamedNumbers numbers = numbers_of(hand_made(0, 3));
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final"), (0.25 + 0.75) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "early"), 0.5);
    EXPECT_DOUBLE_EQ(number(numbers, "wcr_end"), (0.25 + 1) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "wcr_worst_all"), (0.25 + 1) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "retention_loss"), 0.75 / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "average_forgetting"), 0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "backward_transfer"), -0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "anytime_accuracy"), (1 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(number(numbers, "prequential_accuracy"), 0.4);
    EXPECT_EQ(number(numbers, "units"), 5);
    EXPECT_EQ(number(numbers, "units_positive"), 2);
    EXPECT_EQ(number(numbers, "units_negative"), 3);
    EXPECT_EQ(number(numbers, "singletons"), 1);
    EXPECT_EQ(number(numbers, "nodes"), 30);
    EXPECT_EQ(number(numbers, "bytes"), 4000);
    EXPECT_EQ(number(numbers, "units_mature_5"), 4);
    EXPECT_EQ(number(numbers, "units_mature_10"), 2);
    EXPECT_EQ(number(numbers, "units_mature_40"), 1);
    EXPECT_EQ(number(numbers, "units_reached"), 20.0 / 8);
    EXPECT_EQ(number(numbers, "gave_up"), 13);
}

TEST(Results, TheLargeSetReplacesTheDrawnOne) {
    SeedRun run = hand_made(0, 3);
    run.large.push_back({0, {{1, 8}, {2, 8}, {.reached = 99}}});
    const NamedNumbers numbers = numbers_of(run);
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final"), 0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final_plain"), 0.9);
    EXPECT_DOUBLE_EQ(number(numbers, "early"), 0.75);
    EXPECT_DOUBLE_EQ(number(numbers, "accuracy_final_drawn"), 0.5);
    EXPECT_DOUBLE_EQ(number(numbers, "early_drawn"), 0.5);
    EXPECT_DOUBLE_EQ(number(numbers, "units_reached"), 2.5);
}

TEST(Results, MeansAndDeviationsOverSeeds) {
    const Results results({hand_made(4, 3), hand_made(9, 1)}); // finals .5 and .25
    EXPECT_DOUBLE_EQ(*results.mean_of("accuracy_final"), 0.375);
    EXPECT_DOUBLE_EQ(*results.deviation_of("accuracy_final"), std::sqrt(2 * 0.125 * 0.125));
    EXPECT_THROW((void)results.mean_of("beauty"), Error);
    EXPECT_FALSE(Results({hand_made(4, 3)}).deviation_of("accuracy_final"));
    EXPECT_THROW(Results({}), Error);
}

TEST(Results, AMeanIsOverTheSeedsThatHaveTheNumber) {
    // A seed in which no class was above the threshold after its block has no within-cycle retention.
    SeedRun poor = hand_made(1, 1);
    poor.accuracy.set(0, 0, {0.25, 0});
    const Results results({hand_made(0, 3), poor});
    EXPECT_FALSE(results.numbers(1)[2].second);
    EXPECT_EQ(results.numbers(1)[2].first, "wcr_end");
    EXPECT_DOUBLE_EQ(*results.mean_of("wcr_end"), (0.25 + 1) / 2);
    EXPECT_FALSE(Results({poor}).mean_of("wcr_end"));
}

} // namespace
} // namespace sprig::lab
