#include "model/reliability.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "core/keyed.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

/// Scores with few distinct values, so that there are many ties.
std::vector<double> some_scores(std::uint64_t key, std::size_t count, std::uint64_t values) {
    std::vector<double> scores;
    for (std::uint64_t i = 0; i < count; ++i)
        scores.push_back(std::floor(random::uniform(random::mix(key, i)) * static_cast<double>(values)));
    return scores;
}

double auroc_by_pairs(const std::vector<double>& inside, const std::vector<double>& outside) {
    double pairs = 0;
    for (const double in : inside) {
        for (const double out : outside) pairs += in > out ? 1 : in == out ? 0.5 : 0;
    }
    return pairs / static_cast<double>(inside.size() * outside.size());
}

TEST(Auroc, IsTheFractionOfCorrectlyOrderedPairs) {
    for (std::uint64_t key = 0; key < 50; ++key) {
        const std::vector<double> inside = some_scores(random::mix(key, 1), 1 + (key % 17), 2 + (key % 7));
        const std::vector<double> outside = some_scores(random::mix(key, 2), 1 + (key % 11), 2 + (key % 5));
        EXPECT_DOUBLE_EQ(auroc(inside, outside), auroc_by_pairs(inside, outside)) << key;
    }
}

TEST(Auroc, ExtremeCases) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(auroc(std::vector{2.0, 3.0}, std::vector{0.0, 1.0}), 1);
    EXPECT_EQ(auroc(std::vector{0.0, 1.0}, std::vector{2.0, 3.0}), 0);
    EXPECT_EQ(auroc(std::vector{1.0, 1.0}, std::vector{1.0}), 0.5);
    EXPECT_EQ(auroc(std::vector{0.0}, std::vector{-infinity}), 1);
    EXPECT_EQ(auroc(std::vector{-infinity}, std::vector{-infinity}), 0.5);
}

TEST(Auroc, NeedsScoresOnBothSides) {
    const std::vector<double> one = {1};
    EXPECT_THROW((void)auroc(one, {}), Error);
    EXPECT_THROW((void)auroc({}, one), Error);
    EXPECT_THROW((void)auroc(one, std::vector{std::nan("")}), Error);
}

TEST(Coverage, DropsTheLeastConfidentFirst) {
    // By confidence: right, right, wrong, right, wrong.
    const std::vector<double> confidence = {1, 5, 3, 4, 2};
    const std::vector<bool> right = {false, true, false, true, true};
    EXPECT_THAT(accuracy_over_coverage(confidence, right, std::vector{1.0, 0.8, 0.6, 0.4, 0.2, 0.0}),
                ElementsAre(DoubleEq(0.6), DoubleEq(0.75), DoubleEq(2.0 / 3), 1, 1, 1));
}

TEST(Coverage, KeepsTheFirstOfEqualScores) {
    const std::vector<double> confidence = {1, 1, 1, 1};
    const std::vector<bool> right = {true, true, false, false};
    EXPECT_THAT(accuracy_over_coverage(confidence, right, std::vector{0.5, 0.75}),
                ElementsAre(1, DoubleEq(2.0 / 3)));
}

TEST(Coverage, NeedsOneScoreForEachAnswer) {
    EXPECT_THROW((void)accuracy_over_coverage(std::vector{1.0}, {true, false}, std::vector{1.0}), Error);
    EXPECT_THROW((void)accuracy_over_coverage({}, {}, std::vector{1.0}), Error);
}

} // namespace
} // namespace sprig
