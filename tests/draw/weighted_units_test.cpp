#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/raster.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using testing::count_of;
using ::testing::HasSubstr;
using ::testing::Not;

/// A square with the given presence of all nodes.
UnitView weighted(Lineage lineage, std::string label, std::uint64_t samples, double presence = 1) {
    Network pattern = testing::square_network();
    const std::size_t nodes = pattern.node_count();
    return {.lineage = lineage,
            .target = {},
            .label = std::move(label),
            .active = samples,
            .pattern = std::move(pattern),
            .own_nodes = nodes,
            .nodes = std::vector<NodeView>(
                nodes, {.presence = presence, .spread = {2, 1}, .to_next = {3, -3}, .to_previous = {-3, 3}})};
}

void expect_bad_input(const UnitView& unit) {
    try {
        (void)draw_units(std::array{unit});
        FAIL() << "expected an exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
    }
}

/// The SVG without the legend, which contains strokes and ellipses as well.
std::string panels_of(const std::string& svg) {
    return svg.substr(0, svg.find("class=\"legend\""));
}

TEST(WeightedUnits, AreDrawnAsEllipsesAndStrokes) {
    const std::array units = {weighted(1, "a", 3)};
    const std::string svg = draw_units(units);
    EXPECT_EQ(testing::xml_fault(svg), "");
    const std::string panels = panels_of(svg);
    EXPECT_EQ(count_of(panels, "<ellipse class=\"spread\""), 8U) << "two for each node";
    EXPECT_EQ(count_of(panels, "class=\"ink\""), 1U);
    EXPECT_EQ(count_of(panels, "class=\"outline\""), 1U);
    EXPECT_EQ(count_of(panels, "<circle class=\"node\""), 4U);
    EXPECT_THAT(panels, Not(HasSubstr("class=\"edge\"")));
    EXPECT_EQ(svg.find(" id="), std::string::npos);
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
    EXPECT_EQ(svg, draw_units(units));
}

TEST(WeightedUnits, AreAlsoDrawnAlone) {
    const std::vector<UnitView> units = {weighted(1, "a", 3), weighted(2, "b & c", 1)};
    const std::vector<std::string> drawings = draw_each_unit(units, 100);
    ASSERT_EQ(drawings.size(), 2U);
    for (const std::string& svg : drawings) {
        EXPECT_EQ(testing::xml_fault(svg), "");
        EXPECT_THAT(svg, HasSubstr("width=\"100\" height=\"100\""));
        EXPECT_EQ(count_of(svg, "<circle class=\"node\""), 4U);
        EXPECT_EQ(count_of(svg, "<text"), 0U);
    }
    EXPECT_EQ(drawings, draw_each_unit(units, 100));
    EXPECT_TRUE(draw_each_unit({}).empty());
    EXPECT_THROW((void)draw_each_unit(units, -1), Error);
}

TEST(WeightedUnits, AreFainterIfLessLikely) {
    const std::string sure = panels_of(draw_units(std::array{weighted(1, "a", 3, 1)}));
    const std::string unsure = panels_of(draw_units(std::array{weighted(1, "a", 3, 0.5)}));
    const std::string rare = panels_of(draw_units(std::array{weighted(1, "a", 3, 0.1)}));
    EXPECT_THAT(sure, HasSubstr("stroke-opacity=\"1\""));
    EXPECT_THAT(sure, HasSubstr("fill-opacity=\"1\""));
    EXPECT_THAT(unsure, Not(HasSubstr("-opacity=\"1\"")));
    EXPECT_THAT(unsure, HasSubstr("fill-opacity=\"0.54\""));
    EXPECT_THAT(rare, HasSubstr("fill-opacity=\"0.04\""));
    EXPECT_THAT(rare, HasSubstr("stroke-opacity=\"0.05\""));
}

TEST(WeightedUnits, ShowTheNumberAndShareOfSamples) {
    std::vector<UnitView> units = {weighted(1, "a", 30), weighted(2, "a", 9), weighted(3, "a", 1),
                                   weighted(4, "b", 1)};
    units[1].nodes[2].presence = 0.4;
    const std::string svg = draw_units(units, {.per_class = 2});
    EXPECT_THAT(svg, HasSubstr(">30 samples (75 %)<"));
    EXPECT_THAT(svg, HasSubstr(">9 samples (22 %)<"));
    EXPECT_THAT(svg, HasSubstr(">1 sample (100 %)<"));
    EXPECT_THAT(svg, HasSubstr(">4 nodes, 4 likely<"));
    EXPECT_THAT(svg, HasSubstr(">4 nodes, 3 likely<"));
    EXPECT_THAT(svg, HasSubstr(">3 units; 2 sh"));
    EXPECT_THAT(svg, HasSubstr(">4 units in 2 classes<"));
}

/// The y of all class headings.
std::vector<std::string> heading_heights(const std::string& svg) {
    std::vector<std::string> heights;
    const std::string begin = "class=\"class-block\">\n<line";
    for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
        const std::size_t y = svg.find("y1=\"", at) + 4;
        heights.push_back(svg.substr(y, svg.find('"', y) - y));
    }
    return heights;
}

TEST(WeightedUnits, ShareARowIfThereIsSpace) {
    const std::vector<UnitView> units = {weighted(1, "a", 1), weighted(2, "a", 1), weighted(3, "b", 1),
                                         weighted(4, "c", 1)};
    const std::vector<std::string> wide = heading_heights(draw_units(units));
    ASSERT_EQ(wide.size(), 3U);
    EXPECT_EQ(wide[0], wide[1]);
    EXPECT_EQ(wide[1], wide[2]);
    const std::vector<std::string> narrow = heading_heights(draw_units(units, {.columns = 2}));
    ASSERT_EQ(narrow.size(), 3U);
    EXPECT_NE(narrow[0], narrow[1]);
    EXPECT_EQ(narrow[1], narrow[2]);
}

TEST(WeightedUnits, CanBeMixedWithOthers) {
    std::array units = {weighted(1, "a", 3), weighted(2, "b", 3)};
    units[1].nodes.clear();
    const std::string svg = draw_units(units);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(panels_of(svg), "class=\"outline\""), 1U);
    EXPECT_EQ(count_of(panels_of(svg), "class=\"edge\""), 5U);
    EXPECT_THAT(svg, HasSubstr("Unit: a pattern learned from similar samples"));
    EXPECT_THAT(svg, HasSubstr("Unit: a learned pattern"));
}

TEST(WeightedUnits, OfOtherTypesHaveNoInk) {
    Network pattern(std::make_shared<const Schema>(Schema{.node_types = {"star"}}));
    for (const double x : {0.0, 5.0}) pattern.add_node(0, std::array{x, 0.0});
    UnitView unit = weighted(1, "a", 1);
    unit.pattern = std::move(pattern);
    unit.nodes.resize(2);
    unit.own_nodes = 2;
    const std::string svg = draw_units(std::array{unit});
    EXPECT_THAT(svg, Not(HasSubstr("class=\"ink\"")));
    EXPECT_THAT(svg, HasSubstr("class=\"outline\""));
    EXPECT_THAT(svg, Not(HasSubstr("Node: a turning point")));
}

TEST(WeightedUnits, WithoutNodesAreDrawn) {
    UnitView empty = weighted(1, "a", 0);
    empty.pattern.clear();
    empty.nodes.clear();
    empty.own_nodes = 0;
    const std::string svg = draw_units(std::array{empty, weighted(2, "a", 0)});
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("no nodes"));
    EXPECT_THAT(svg, HasSubstr(">0 samples (0 %)<"));
}

TEST(WeightedUnits, ThatAreInconsistentAreRejected) {
    UnitView unit = weighted(1, "a", 1);
    unit.nodes.pop_back();
    expect_bad_input(unit);
    unit = weighted(1, "a", 1);
    unit.nodes.emplace_back();
    expect_bad_input(unit);

    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    for (const NodeView& wrong : std::vector<NodeView>{{.presence = nan},
                                                       {.presence = -0.1},
                                                       {.presence = 1.1},
                                                       {.spread = {1, -1}},
                                                       {.spread = {infinite, 1}},
                                                       {.to_next = {nan, 0}},
                                                       {.to_previous = {0, infinite}}}) {
        unit = weighted(1, "a", 1);
        unit.nodes[1] = wrong;
        expect_bad_input(unit);
    }
    unit = weighted(1, "a", 1);
    unit.pattern.clear();
    for (int i = 0; i < 4; ++i) unit.pattern.add_node(0, std::array{nan, 0.0}, std::array{0.0, 0.0, 0.0});
    expect_bad_input(unit);
}

TEST(SheetWithoutLabels, DoesNotRevealTheClass) {
    std::vector<UnitView> units = {weighted(9, "alpha", 3), weighted(2, "alpha", 2), weighted(5, "beta", 1)};
    const std::string svg = draw_units(units, {.labels = false});
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, Not(HasSubstr("alpha")));
    EXPECT_THAT(svg, Not(HasSubstr("beta")));
    EXPECT_THAT(svg, HasSubstr(">3 units<"));
    EXPECT_THAT(svg, HasSubstr(">3 samples (60 %)<")) << "the share within its class";
    EXPECT_EQ(count_of(svg, "class=\"class-block\""), 1U);
    EXPECT_EQ(svg, draw_units(units, {.labels = false}));

    // By lineage, not by class.
    const auto place = [&](const char* lineage) { return svg.find(lineage); };
    EXPECT_LT(place("0000000000000002\""), place("0000000000000005\""));
    EXPECT_LT(place("0000000000000005\""), place("0000000000000009\""));
    for (UnitView& unit : units) unit.nodes.clear();
    EXPECT_THAT(draw_units(units, {.labels = false}), Not(HasSubstr("alpha")));
    EXPECT_THAT(draw_units(units), HasSubstr("class alpha"));
}

} // namespace
} // namespace sprig
