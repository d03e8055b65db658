#include "lab/protocol/experiment_data.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/image.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Image i is of class i % 2, every seventh without a label.
Dataset numbered(std::size_t count) {
    const Image dot(1, 1, 255);
    Dataset data;
    data.set_classes({"even", "odd"});
    for (std::size_t i = 0; i < count; ++i) data.add(dot.view(), i % 7 == 6 ? -1 : static_cast<int>(i % 2));
    return data;
}

std::vector<std::size_t> up_to(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

TEST(Sampling, ByClass) {
    const std::vector<std::size_t> some = {0, 1, 4, 6, 9};
    EXPECT_THAT(by_class(numbered(10), some), ElementsAre(ElementsAre(0, 4), ElementsAre(1, 9)));
}

TEST(Sampling, StreamAndHeldOutAreDisjointAndOfTheirClass) {
    const Dataset data = numbered(200);
    const Draw drawn = draw(data, up_to(200), 5, 30, 10);
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(drawn.stream[c].size(), 30U);
        EXPECT_EQ(drawn.held_out[c].size(), 10U);
        std::vector<std::size_t> all = drawn.stream[c];
        all.insert(all.end(), drawn.held_out[c].begin(), drawn.held_out[c].end());
        for (const std::size_t i : all) EXPECT_EQ(data.label(i), static_cast<int>(c));
        EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
        std::sort(all.begin(), all.end());
        EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    }
}

TEST(Sampling, DependsOnTheSeed) {
    const Dataset data = numbered(200);
    EXPECT_EQ(draw(data, up_to(200), 5, 30, 10).stream, draw(data, up_to(200), 5, 30, 10).stream);
    EXPECT_NE(draw(data, up_to(200), 5, 30, 10).stream, draw(data, up_to(200), 6, 30, 10).stream);
}

// Must never change: published results must be reproducible.
TEST(Sampling, TheOrderNeverChanges) {
    const Draw drawn = draw(numbered(40), up_to(40), 0, 4, 2);
    EXPECT_THAT(drawn.stream, ElementsAre(ElementsAre(36, 28, 0, 24), ElementsAre(29, 11, 7, 25)));
    EXPECT_THAT(drawn.held_out, ElementsAre(ElementsAre(38, 18), ElementsAre(9, 17)));
}

TEST(Sampling, ALongerStreamBeginsWithTheShorterOne) {
    const Draw short_one = draw(numbered(200), up_to(200), 5, 10, 10);
    const Draw long_one = draw(numbered(200), up_to(200), 5, 20, 10);
    EXPECT_TRUE(
        std::equal(short_one.stream[0].begin(), short_one.stream[0].end(), long_one.stream[0].begin()));
}

TEST(Sampling, OtherImagesDoNotChangeTheOrder) {
    // Without the images of the second half, those of the first keep their order.
    const std::vector<std::size_t> whole = draw(numbered(200), up_to(200), 5, 80, 0).stream[0];
    std::vector<std::size_t> first_half;
    std::copy_if(whole.begin(), whole.end(), std::back_inserter(first_half), [](auto i) { return i < 100; });
    EXPECT_EQ(draw(numbered(200), up_to(100), 5, first_half.size(), 0).stream[0], first_half);
}

TEST(Sampling, TooFewImages) {
    try {
        (void)draw(numbered(40), up_to(40), 0, 15, 3);
        ADD_FAILURE() << "images were drawn that do not exist";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), HasSubstr("17 images of class even, but 18 are needed"));
    }
}

} // namespace
} // namespace sprig::lab
