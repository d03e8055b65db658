#include "lab/measures/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::lab {
namespace {

using Numbers = std::vector<double>;

SignedRank test_of(const Numbers& differences) {
    return signed_rank_test(differences, Numbers(differences.size(), 0.0));
}

/// The differences 1 ... n, of which those named are negative. Their sum is then the sum of ranks.
SignedRank with_negative(std::size_t n, const std::vector<std::size_t>& ranks) {
    Numbers differences(n);
    std::iota(differences.begin(), differences.end(), 1.0);
    for (const std::size_t rank : ranks) differences[rank - 1] *= -1;
    return test_of(differences);
}

// From the usual tables of the distribution: in how many of the 2^n sign patterns the sum is at most W.
TEST(SignedRank, AsInTheTables) {
    struct Row {
        std::size_t n;
        std::vector<std::size_t> negative;
        double statistic;
        double patterns;
    };
    for (const Row& row : std::vector<Row>{{5, {}, 0, 1},
                                           {6, {}, 0, 1},
                                           {6, {2}, 2, 3},
                                           {7, {2}, 2, 3},
                                           {7, {3}, 3, 5},
                                           {8, {3}, 3, 5},
                                           {8, {5}, 5, 10},
                                           {9, {5}, 5, 10},
                                           {9, {8}, 8, 25},
                                           {10, {}, 0, 1},
                                           {10, {8}, 8, 25},
                                           {10, {1, 2, 5}, 8, 25},
                                           {10, {10}, 10, 43}}) {
        const SignedRank result = with_negative(row.n, row.negative);
        EXPECT_EQ(result.pairs, row.n);
        EXPECT_EQ(result.statistic, row.statistic);
        EXPECT_EQ(result.first_ahead, row.n - row.negative.size());
        EXPECT_DOUBLE_EQ(result.p, 2 * row.patterns / std::pow(2.0, static_cast<double>(row.n)))
            << row.n << " " << row.statistic;
    }
    EXPECT_NEAR(with_negative(10, {8}).p, 0.0488, 5e-5);
    EXPECT_NEAR(with_negative(10, {}).p, 0.00195, 5e-6);
}

TEST(SignedRank, WhoIsAheadDoesNotMatterForP) {
    const Numbers a = {0.91, 0.95, 0.90, 0.99, 0.93};
    const Numbers b = {0.90, 0.97, 0.87, 0.95, 0.88};
    const SignedRank one = signed_rank_test(a, b);
    const SignedRank other = signed_rank_test(b, a);
    EXPECT_EQ(one.first_ahead, 4U);
    EXPECT_EQ(other.first_ahead, 1U);
    EXPECT_EQ(one.statistic, 2);
    EXPECT_EQ(other.statistic, 2);
    EXPECT_EQ(one.p, 0.1875); // {}, {1} and {2}: 2 * 3 / 32
    EXPECT_EQ(other.p, one.p);
}

// The rows of the paper's table of tests, each with the number of pairs that it must come from.
TEST(SignedRank, ThePapersRows) {
    EXPECT_NEAR(with_negative(10, {}).p, 0.0020, 5e-5);
    EXPECT_NEAR(with_negative(9, {}).p, 0.0039, 5e-5); // one pair was equal
    EXPECT_NEAR(with_negative(10, {2}).p, 0.0059, 5e-5);
    // W = 18 is half of all ranks if eight pairs differ, four of them either way; of ten it would be 0.375.
    const SignedRank si = with_negative(8, {1, 2, 7, 8});
    EXPECT_EQ(si.statistic, 18);
    EXPECT_EQ(si.first_ahead, 4U);
    EXPECT_EQ(si.p, 1);
    EXPECT_DOUBLE_EQ(with_negative(10, {8, 10}).p, 0.375);
    // W = 12 with p = 0.2383 is of nine pairs with a tie (without one it would be 0.25): three behind.
    const SignedRank mas = test_of({-1, -2, 3, 4, 5, 6, 7, 7, -9, 0});
    EXPECT_EQ(mas.pairs, 9U);
    EXPECT_EQ(mas.first_ahead, 6U);
    EXPECT_EQ(mas.statistic, 12);
    EXPECT_NEAR(mas.p, 0.2383, 5e-5);
    EXPECT_DOUBLE_EQ(with_negative(9, {1, 2, 9}).p, 0.25);
}

TEST(SignedRank, EqualUpToRoundingIsEqual) {
    // Accuracies out of 200 images: as numbers in a computer, these differences are not the same.
    const Numbers a = {186 / 200.0, 36 / 200.0, 66 / 200.0, 0.1 + 0.2};
    const Numbers b = {184 / 200.0, 34 / 200.0, 68 / 200.0, 0.3};
    ASSERT_NE(a[0] - b[0], a[1] - b[1]);
    ASSERT_NE(a[3], b[3]);
    const SignedRank result = signed_rank_test(a, b);
    EXPECT_EQ(result.pairs, 3U);
    EXPECT_EQ(result.statistic, 2); // all three have the rank 2
    EXPECT_EQ(result.p, 1);         // half of all patterns are as extreme on either side
}

TEST(SignedRank, NothingDiffers) {
    for (const Numbers& same : {Numbers{}, Numbers{0.5}, Numbers{0.5, 0.25}}) {
        const SignedRank result = signed_rank_test(same, same);
        EXPECT_EQ(result.pairs, 0U);
        EXPECT_EQ(result.statistic, 0);
        EXPECT_EQ(result.p, 1);
    }
}

/// Mean ranks, by counting smaller and equal values.
Numbers counted_ranks(const Numbers& differences) {
    Numbers ranks;
    for (const double one : differences) {
        double smaller = 0;
        double equal = 0;
        for (const double other : differences) {
            if (std::abs(other) < std::abs(one)) ++smaller;
            if (std::abs(other) == std::abs(one)) ++equal;
        }
        ranks.push_back(smaller + ((equal + 1) / 2));
    }
    return ranks;
}

double smaller_sum(const Numbers& ranks, const std::vector<bool>& positive) {
    double ahead = 0;
    double behind = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) (positive[i] ? ahead : behind) += ranks[i];
    return std::min(ahead, behind);
}

/// The share of all sign patterns whose smaller sum is at most the one observed.
double share_as_extreme(const Numbers& ranks, double observed) {
    std::size_t extreme = 0;
    const std::size_t patterns = std::size_t{1} << ranks.size();
    for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
        std::vector<bool> positive;
        for (std::size_t i = 0; i < ranks.size(); ++i) positive.push_back(((pattern >> i) & 1U) != 0);
        if (smaller_sum(ranks, positive) <= observed) ++extreme;
    }
    return static_cast<double>(extreme) / static_cast<double>(patterns);
}

TEST(SignedRank, AsByTryingAllSignPatterns) {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        Numbers differences;
        const std::size_t n = 1 + (random() % 10);
        const auto range = 1 + (random() % 9); // a small one gives many ties
        while (differences.size() < n) {
            const auto size = static_cast<double>(1 + (random() % range));
            differences.push_back(random() % 3 == 0 ? -size : size);
        }
        std::vector<bool> positive;
        for (const double difference : differences) positive.push_back(difference > 0);
        const Numbers ranks = counted_ranks(differences);
        const SignedRank result = test_of(differences);
        EXPECT_EQ(result.statistic, smaller_sum(ranks, positive));
        EXPECT_DOUBLE_EQ(result.p, share_as_extreme(ranks, result.statistic));
    }
}

TEST(SignedRank, UpToTwentyFivePairs) {
    EXPECT_EQ(with_negative(25, {}).p, std::ldexp(1.0, -24));
    // Tables give 89 as the greatest sum that is significant at 5 %.
    EXPECT_NEAR(with_negative(25, {1, 3, 10, 25, 12, 13, 17, 8}).p, 0.0483, 5e-5);
    EXPECT_GT(with_negative(25, {2, 3, 10, 25, 12, 13, 17, 8}).p, 0.05);
}

TEST(SignedRank, WhatItRefuses) {
    const auto refused = [](const Numbers& a, const Numbers& b) {
        try {
            (void)signed_rank_test(a, b);
            ADD_FAILURE() << "it was taken";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
        }
    };
    refused({1, 2}, {1});
    refused(Numbers(26, 1.0), Numbers(26, 0.0));
    refused({NAN}, {0});
    refused({INFINITY}, {0});
    // Those that are dropped do not count.
    Numbers many(30, 0.0);
    std::fill(many.begin(), many.begin() + 25, 1.0);
    EXPECT_EQ(test_of(many).pairs, 25U);
}

} // namespace
} // namespace sprig::lab
