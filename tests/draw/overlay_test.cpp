#include "draw/overlay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/raster.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig::draw {
namespace {

using sprig::testing::count_of;
using ::testing::HasSubstr;
using ::testing::Not;

Overlay overlay() {
    return {.caption = "a < b",
            .note = "4 nodes",
            .observed = sprig::testing::square_figure(),
            .pattern = sprig::testing::square_network(),
            .placed = {0, 1, 2, 3}};
}

std::string drawn(const Overlay& overlay) {
    return draw_overlays(std::vector{overlay}, {.title = "a title", .notes = {"a note"}});
}

TEST(Overlays, ShowTheUnitOnTheImageInAllLayers) {
    const std::string svg = drawn(overlay());
    EXPECT_EQ(sprig::testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"node\""), 4U);
    EXPECT_EQ(count_of(svg, "class=\"edge\""), 7U);
    EXPECT_EQ(count_of(svg, "class=\"input\""), 1U);
    EXPECT_EQ(count_of(svg, "class=\"legend\""), 1U);
    for (const char* words : {"a title", "a note", "a &lt; b", "length of the edge"})
        EXPECT_THAT(svg, HasSubstr(words));
    EXPECT_THAT(svg, Not(HasSubstr("anchor: ")));
    EXPECT_FALSE(render_png(svg, 1).empty());
    EXPECT_EQ(svg, drawn(overlay()));
}

TEST(Overlays, DistinguishAnchorsAndTargets) {
    Overlay chain = overlay();
    chain.roles = {NodeRole::own, NodeRole::anchor, NodeRole::below, NodeRole::below};
    chain.first_edge_below = 3;
    const std::string svg = drawn(chain);
    EXPECT_EQ(count_of(svg, "class=\"node\""), 1U);
    EXPECT_EQ(count_of(svg, "class=\"anchor\""), 1U);
    EXPECT_EQ(count_of(svg, "class=\"node below\""), 2U);
    EXPECT_EQ(count_of(svg, "class=\"edge below\""), 4U);
    EXPECT_THAT(svg, HasSubstr("anchor: "));
}

TEST(Overlays, ShowMissingNodesUnlessTheyAreUnlikely) {
    Overlay weighted = overlay();
    weighted.placed = {0, no_node, no_node, 3};
    weighted.weights = {{.spread = {1, 2}}, {.presence = 0.9}, {.presence = 0.1}, {.spread = {1, 1}}};
    const std::string svg = drawn(weighted);
    EXPECT_EQ(count_of(svg, "class=\"node\""), 2U);
    EXPECT_EQ(count_of(svg, "class=\"spread\""), 2U);
    EXPECT_EQ(count_of(svg, "class=\"offset\""), 2U);
    EXPECT_EQ(count_of(svg, "class=\"missing\""), 1U + 1U) << "and one in the legend";
}

TEST(Overlays, AreArrangedInBalancedRows) {
    const std::vector<Overlay> six(6, overlay());
    EXPECT_EQ(draw_overlays(six, {.title = "t", .columns = 5}),
              draw_overlays(six, {.title = "t", .columns = 3}));
    EXPECT_NE(draw_overlays(six, {.title = "t", .columns = 5}),
              draw_overlays(six, {.title = "t", .columns = 6}));
}

TEST(Overlays, OfNothingAreRejected) {
    EXPECT_THROW((void)draw_overlays({}, {}), Error);
    EXPECT_THROW((void)draw_overlays(std::vector{overlay()}, {.title = "t", .columns = 0}), Error);
}

} // namespace
} // namespace sprig::draw
