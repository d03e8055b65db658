#include "draw/correspondence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/raster.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig::draw {
namespace {

using sprig::testing::count_of;
using ::testing::HasSubstr;

Correspondence correspondence() {
    return {.caption = "as a whole",
            .notes = {"one line", "a < b"},
            .pattern = sprig::testing::square_network(),
            .observed = sprig::testing::square_figure(),
            .placed = {0, 1, 2, 3}};
}

std::string drawn(const Correspondence& content) {
    return draw_correspondences(std::vector{content}, "a title");
}

TEST(Correspondences, JoinEachNodeToItsMatch) {
    const std::string svg = drawn(correspondence());
    EXPECT_EQ(sprig::testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"node\""), 8U);
    EXPECT_EQ(count_of(svg, "class=\"edge\""), 14U);
    EXPECT_EQ(count_of(svg, "class=\"match-line\""), 4U + 2U) << "and two in the legend";
    EXPECT_EQ(count_of(svg, "class=\"unmatched\""), 0U);
    for (const char* words : {"a title", "(a) as a whole", "one line", "a &lt; b"})
        EXPECT_THAT(svg, HasSubstr(words));
    EXPECT_FALSE(render_png(svg, 1).empty());
    EXPECT_EQ(svg, drawn(correspondence()));
}

TEST(Correspondences, ShowNodesWithoutAMatchInOutline) {
    Correspondence partial = correspondence();
    partial.placed = {0, no_node, 2, 3};
    const std::string svg = drawn(partial);
    EXPECT_EQ(count_of(svg, "class=\"node\""), 6U);
    EXPECT_EQ(count_of(svg, "class=\"match-line\""), 3U + 2U);
    EXPECT_EQ(count_of(svg, "class=\"missing\""), 1U + 1U);
    EXPECT_EQ(count_of(svg, "class=\"missing-edge\""), 4U + 1U) << "the bottom node has four edges";
    EXPECT_EQ(count_of(svg, "class=\"unmatched\""), 1U);
}

TEST(Correspondences, DistinguishTheChosenCandidate) {
    Correspondence ambiguous = correspondence();
    ambiguous.ambiguous = AmbiguousNode{2, {{2, "3 of 3"}, {0, "1 of 3"}}};
    const std::string svg = drawn(ambiguous);
    EXPECT_EQ(count_of(svg, "class=\"chosen\""), 2U + 1U) << "the node and its match";
    EXPECT_EQ(count_of(svg, "class=\"candidate\""), 1U + 1U);
    EXPECT_EQ(count_of(svg, "class=\"match-line\""), 5U + 2U);
    EXPECT_THAT(svg, HasSubstr(">3 of 3<"));
    EXPECT_THAT(svg, HasSubstr(">1 of 3<"));
}

TEST(Correspondences, OfNothingOrOfAnotherSizeAreRejected) {
    EXPECT_THROW((void)draw_correspondences({}, "t"), Error);
    Correspondence invalid = correspondence();
    invalid.placed.pop_back();
    EXPECT_THROW((void)drawn(invalid), Error);
}

TEST(Levels, AreDrawnSideBySideAndAsOneNetwork) {
    const ConstructionFigure figure = sprig::testing::square_figure();
    const std::vector<std::uint32_t> levels = {0, 1};
    const std::string svg = draw_levels(figure, levels);
    EXPECT_EQ(sprig::testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"panel\""), 3U);
    EXPECT_EQ(count_of(svg, "class=\"edge\""), 4U + 1U + 5U);
    EXPECT_THAT(svg, HasSubstr("(c) All levels"));
    const std::vector<std::uint32_t> too_far = {2};
    EXPECT_THROW((void)draw_levels(figure, too_far), Error);
}

} // namespace
} // namespace sprig::draw
