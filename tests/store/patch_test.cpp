#include "store/patch.h"

#include <gtest/gtest.h>

#include "random/keyed.h"
#include "sprig/error.h"
#include "store/squeeze.h"

namespace sprig::store {

namespace {

constexpr Shape shape = {3, 4, 2};

std::string words(const std::vector<std::uint64_t>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::uint64_t)};
}

/// A unit with three nodes and one edge.
const std::vector<std::uint64_t> small = {9, 8, 7, 3, 1, 10, 11, 12, 2, 20, 21, 22, 2, 30, 31, 32, 1, 5, 6};

TEST(Patch, OfNothingIsShort) {
    const std::string unit = words(small);
    const std::string patch = make_patch(unit, unit, shape);
    EXPECT_EQ(patch.size(), 8U * (2 + 1 + 3 + 1 + 1)); // counts, and a head for every row
    EXPECT_EQ(patched(unit, patch, shape), unit);
}

TEST(Patch, TellsWhatChangedAndWhatCameAndWent) {
    const std::string before = words(small);
    // The second node is gone, the third has moved, a new one has come; so has an edge.
    const std::string after =
        words({9, 8, 70, 3, 1, 10, 11, 12, 2, 30, 310, 32, 3, 40, 41, 42, 2, 5, 6, 5, 7});
    const std::string patch = make_patch(before, after, shape);
    EXPECT_LT(patch.size(), after.size());
    EXPECT_EQ(patched(before, patch, shape), after);
}

TEST(Patch, OfAnythingLeadsThere) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto random_unit = [seed](std::uint64_t which) {
            std::uint64_t i = 0;
            const auto draw = [&](std::uint64_t below) { return random::mix({seed, which, i++}) % below; };
            std::vector<std::uint64_t> unit = {draw(3), draw(3), draw(3)};
            for (const std::size_t width : {shape.of_node, shape.of_edge}) {
                const std::uint64_t count = draw(6);
                unit.push_back(count);
                for (std::uint64_t w = 0; w < count * width; ++w) unit.push_back(draw(3));
            }
            return words(unit);
        };
        const std::string before = random_unit(1);
        const std::string after = random_unit(2);
        ASSERT_EQ(patched(before, make_patch(before, after, shape), shape), after) << "seed " << seed;
    }
}

TEST(Patch, ThatDoesNotFitIsRefused) {
    const std::string before = words(small);
    std::vector<std::uint64_t> other = small;
    other[2] = 71;
    const std::string patch = make_patch(before, words(other), shape);
    for (std::size_t size = 0; size < patch.size(); ++size)
        EXPECT_THROW((void)patched(before, patch.substr(0, size), shape), Error) << size;
    EXPECT_THROW((void)patched(before, patch + words({1}), shape), Error);
    EXPECT_THROW((void)patched(words({9, 8, 7, 0, 0}), patch, shape), Error); // has no such rows
    EXPECT_THROW((void)patched(words({9, 8}), patch, shape), Error);
}

TEST(Squeeze, GivesBackWhatItWas) {
    for (const std::size_t size :
         std::initializer_list<std::size_t>{0, 1, 7999, 8000, 8001, 8007, 8008, 100'003}) {
        std::string bytes(size, '\0');
        for (std::size_t i = 0; i < size; ++i) // words that come again, near and far, and others
            bytes[i] = static_cast<char>(random::mix(i / 8 % 5 == 0 ? i : i / 8 % 300, i % 8) % 256);
        const std::string shorter = squeezed(bytes);
        EXPECT_EQ(unsqueezed(shorter), bytes) << size;
        EXPECT_LE(shorter.size(), bytes.size() + (bytes.size() / 8) + 17);
    }
    EXPECT_LT(squeezed(std::string(80'000, 'x')).size(), 10'100U);
}

TEST(Squeeze, RefusesWhatItDidNotMake) {
    const std::string shorter = squeezed(std::string(80'000, 'x'));
    EXPECT_THROW((void)unsqueezed(""), Error);
    EXPECT_THROW((void)unsqueezed("\x02rest"), Error);
    EXPECT_THROW((void)unsqueezed(shorter.substr(0, shorter.size() - 1)), Error);
    EXPECT_THROW((void)unsqueezed(shorter + "x"), Error);
    std::string huge = shorter;
    huge[8] = '\x7f'; // a size that nothing could be
    EXPECT_THROW((void)unsqueezed(huge), Error);
}

} // namespace

} // namespace sprig::store
