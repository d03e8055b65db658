#include <array>
#include <set>

#include <gtest/gtest.h>

#include "random/keyed.h"

namespace sprig::random {
namespace {

TEST(Keyed, IsTheSameEverywhere) {
    // Were these to change, every model learned before would be another one.
    EXPECT_EQ(mix({1, 2, 3}), UINT64_C(14695889814842352606));
    EXPECT_EQ(mix("seven"), UINT64_C(7714447625106612753));
}

TEST(Keyed, TellsOrderLengthAndContentApart) {
    const std::set<std::uint64_t> keys = {mix({1, 2}), mix({2, 1}), mix({1}),        mix({1, 2, 0}),
                                          mix(""),     mix("a"),    mix({"\0a", 2}), mix("aaaaaaaa"),
                                          mix("b"),    mix("ab"),   mix("aaaaaaaab")};
    EXPECT_EQ(keys.size(), 11U);
}

TEST(Keyed, UniformFillsItsRangeEvenly) {
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

} // namespace
} // namespace sprig::random
