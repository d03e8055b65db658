#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/keyed.h"

namespace sprig::random {
namespace {

TEST(Keyed, IsTheSameEverywhere) {
    // If these change, existing models can no longer be reproduced.
    EXPECT_EQ(mix({1, 2, 3}), UINT64_C(14695889814842352606));
    EXPECT_EQ(mix("seven"), UINT64_C(7714447625106612753));
}

TEST(Keyed, DependsOnOrderLengthAndContent) {
    const std::set<std::uint64_t> keys = {mix({1, 2}), mix({2, 1}), mix({1}),        mix({1, 2, 0}),
                                          mix(""),     mix("a"),    mix({"\0a", 2}), mix("aaaaaaaa"),
                                          mix("b"),    mix("ab"),   mix("aaaaaaaab")};
    EXPECT_EQ(keys.size(), 11U);
}

TEST(Keyed, UniformIsUniform) {
    std::array<int, 10> tenths = {};
    for (std::uint64_t key = 0; key < 10'000; ++key) {
        const double draw = uniform(key);
        ASSERT_GE(draw, 0);
        ASSERT_LT(draw, 1);
        ++tenths[static_cast<std::size_t>(draw * 10)];
    }
    // Five standard deviations of a binomial with n = 10,000 and p = 0.1.
    for (const int count : tenths) EXPECT_NEAR(count, 1000, 150);
}

TEST(Shuffled, IsAPermutationThatDependsOnSeedAndPurpose) {
    const std::vector<std::size_t> order = shuffled(1000, 7);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 1000U);
    EXPECT_EQ(*std::max_element(order.begin(), order.end()), 999U);
    EXPECT_EQ(shuffled(1000, 7), order);
    EXPECT_NE(shuffled(1000, 8), order);
    std::vector<std::size_t> other(order);
    shuffle(other, 7, mix("another purpose"));
    EXPECT_NE(other, order);
}

TEST(Shuffled, TheOrderOfASubsetIsTheSame) {
    std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<std::size_t> some = {8, 1, 5, 2};
    shuffle(all, 3, 0);
    shuffle(some, 3, 0);
    std::erase_if(all, [](std::size_t i) { return i != 1 && i != 2 && i != 5 && i != 8; });
    EXPECT_EQ(all, some);
}

} // namespace
} // namespace sprig::random
