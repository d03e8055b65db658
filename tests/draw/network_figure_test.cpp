#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/marks.h"
#include "draw/raster.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using testing::count_of;
using ::testing::HasSubstr;

std::shared_ptr<const Schema> plain_schema(int dimensions) {
    return std::make_shared<const Schema>(Schema{dimensions, {"corner", "tip"}, {"near"}, {}});
}

Network line_in_space(int dimensions) {
    Network network(plain_schema(dimensions));
    const std::array<double, 3> first = {0, 0, 7};
    const std::array<double, 3> second = {4, 3, -7};
    const auto size = static_cast<std::size_t>(dimensions);
    network.add_node(0, std::span(first).first(size));
    network.add_node(1, std::span(second).first(size));
    network.add_edge(Edge{0, 1, 0, 0, 0});
    return network;
}

TEST(NetworkFigure, DrawsEverythingOnce) {
    const Network network = testing::square_network();
    const std::string svg = draw_network(network, "a <square>", {.all_layers = true});
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"node\""), network.node_count());
    EXPECT_EQ(count_of(svg, "class=\"edge\""), network.edge_count());
    EXPECT_THAT(svg, HasSubstr("a &lt;square&gt;"));
}

TEST(NetworkFigure, ShowsTheFirstTwoOfThreeCoordinates) {
    const std::string flat = draw_network(line_in_space(2), "line");
    EXPECT_EQ(draw_network(line_in_space(3), "line"), flat);
    EXPECT_EQ(count_of(flat, "class=\"node\""), 2U);
    EXPECT_THAT(flat, HasSubstr(">corner<"));
    EXPECT_FALSE(draw::render_png(flat, 1).empty());
}

TEST(NetworkFigure, RejectsOneCoordinate) {
    EXPECT_THROW((void)draw_network(line_in_space(1), "line"), Error);
}

TEST(NetworkFigure, RejectsAnUnknownLayer) {
    EXPECT_THROW((void)draw_network(line_in_space(2), "line", {.layer = Layer::contour_v}), Error);
}

TEST(NetworkFigure, RejectsAnUnknownLevel) {
    EXPECT_THROW((void)draw_network(line_in_space(2), "line", {.level = 1}), Error);
}

TEST(NetworkFigure, ExplainsOnlyTheLayersItShows) {
    const std::string one = draw_network(testing::square_network(), "square", {.layer = Layer::contour_v});
    EXPECT_THAT(one, HasSubstr("vertical layer"));
    EXPECT_EQ(count_of(one, "horizontal layer"), 0U);
}

TEST(NetworkFigure, OfAnEmptyNetworkHasNoNodes) {
    const std::string svg = draw_network(Network(plain_schema(2)), "nothing");
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("no nodes"));
}

TEST(Marks, PointInTheDirectionOfTheExtremum) {
    const draw::SchemaStyle style = draw::schema_style(testing::square_network(6).schema(), {});
    ASSERT_TRUE(style.change_points);
    const auto angle = [&](int direction, bool maximum) {
        return draw::mark_of(ChangeKind{direction, maximum, true}.index(), style).angle;
    };
    EXPECT_NEAR(std::cos(angle(0, true)), 1, 1e-12);
    EXPECT_NEAR(std::cos(angle(0, false)), -1, 1e-12);
    EXPECT_NEAR(std::sin(angle(3, true)), 1, 1e-12);
    EXPECT_NEAR(angle(1, true), std::acos(-1) / 6, 1e-12);
    EXPECT_FALSE(draw::mark_of(ChangeKind{0, true, false}.index(), style).filled);
}

TEST(Marks, AtOnePositionAreMovedApart) {
    const draw::SchemaStyle style = draw::schema_style(testing::square_network().schema(), {});
    std::vector<draw::NodeMark> marks;
    for (const std::uint32_t type : {0U, 4U, 4U, 0U}) marks.push_back(draw::mark_of(type, style));
    std::vector<draw::Point> places(4, {10, 10});
    places.back() = {100, 100};
    draw::spread_marks(places, marks, 5);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LE(std::hypot(places[i].x - 10, places[i].y - 10), 5.51);
        for (std::size_t k = 0; k < i; ++k)
            EXPECT_GT(std::hypot(places[i].x - places[k].x, places[i].y - places[k].y), 4);
    }
    EXPECT_EQ(places.back().x, 100);
}

} // namespace
} // namespace sprig
