#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/raster.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using testing::count_of;
using ::testing::HasSubstr;

TEST(Sheet, ShowsEveryImageOnce) {
    std::vector<ConstructionFigure> figures(5, testing::square_figure());
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i].name = "image-" + std::to_string(i);
    const std::string svg = draw_sheet(figures);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"panel\""), 5U);
    EXPECT_EQ(count_of(svg, "class=\"legend\""), 1U);
    EXPECT_EQ(count_of(svg, "class=\"node\""), 20U);
    EXPECT_EQ(count_of(svg, "class=\"edge\""), 25U);
    for (const ConstructionFigure& figure : figures)
        EXPECT_EQ(count_of(svg, ">" + figure.name + ", label 4<"), 1U);
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
    EXPECT_EQ(svg, draw_sheet(figures));
}

TEST(Sheet, ShowsOnlyNodesIfTheLevelIsMissing) {
    const std::vector<ConstructionFigure> figures(1, testing::square_figure());
    EXPECT_EQ(count_of(draw_sheet(figures, {.level = 1}), "class=\"edge\""), 1U);
    const std::string beyond = draw_sheet(figures, {.level = 9});
    EXPECT_EQ(count_of(beyond, "class=\"edge\""), 0U);
    EXPECT_EQ(count_of(beyond, "class=\"removed\""), 4U);
}

TEST(Sheet, RejectsNoImages) {
    EXPECT_THROW((void)draw_sheet({}), Error);
}

} // namespace
} // namespace sprig
