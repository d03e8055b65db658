#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
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

UnitView unit(Lineage lineage, std::string label, std::uint64_t active, std::uint64_t inactive) {
    Network pattern = testing::square_network();
    const std::size_t nodes = pattern.node_count();
    return {.lineage = lineage,
            .target = {},
            .label = std::move(label),
            .active = active,
            .inactive = inactive,
            .pattern = std::move(pattern),
            .own_nodes = nodes};
}

/// A unit with one own node, which has edges to the right and the left node of the square.
UnitView unit_above(Lineage lineage, const UnitView& target) {
    UnitView above = unit(lineage, target.label, 9, 1);
    above.target = target.lineage;
    above.depth = target.depth + 1;
    above.own_nodes = 1;
    const Network& square = target.pattern;
    Network pattern(square.shared_schema());
    const std::array<double, 2> place = {5, 5 + static_cast<double>(above.depth)};
    pattern.add_node(0, place, square.attributes(0));
    for (const NodeId anchor : {0U, 2U})
        pattern.add_node(square.type(anchor), square.position(anchor), square.attributes(anchor));
    pattern.add_edge(Edge{2, 0, 0, 0, 0});
    pattern.add_edge(Edge{0, 1, 0, 0, 1});
    above.pattern = std::move(pattern);
    return above;
}

std::size_t place_of(const std::string& svg, Lineage lineage) {
    return svg.find(fmt::format("data-lineage=\"{:016x}\"", lineage));
}

void expect_usage_error(std::span<const UnitView> units, const UnitSheetOptions& options) {
    try {
        (void)draw_units(units, options);
        FAIL() << "expected an exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    }
}

TEST(UnitSheet, ShowsClassesInTheirOrderAndUnitsByObservations) {
    std::vector<UnitView> units = {unit(1, "seven", 3, 1), unit(2, "seven", 96, 2), unit(3, "one", 5, 5),
                                   unit(4, "seven", 10, 0)};
    units[3].polarity = Polarity::negative;
    const std::string svg = draw_units(units);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"class-block\""), 2U);
    EXPECT_EQ(count_of(svg, "class=\"unit positive\""), 3U);
    EXPECT_EQ(count_of(svg, "class=\"unit negative\""), 1U);
    EXPECT_EQ(count_of(svg, "class=\"legend\""), 1U);
    EXPECT_EQ(count_of(svg, "class=\"node\""), 16U);
    EXPECT_EQ(count_of(svg, "class=\"edge\""), 20U);
    EXPECT_LT(place_of(svg, 2), place_of(svg, 4));
    EXPECT_LT(place_of(svg, 4), place_of(svg, 1));
    EXPECT_LT(place_of(svg, 1), place_of(svg, 3));
    EXPECT_THAT(svg, HasSubstr(">+ 96/98, depth 1<"));
    EXPECT_THAT(svg, HasSubstr(">\xE2\x88\x92 10/10, depth 1<"));
    EXPECT_THAT(svg, HasSubstr(">class seven<"));
    EXPECT_THAT(svg, HasSubstr(">3 units: 2 positive, 1 negative<"));
    EXPECT_THAT(svg, HasSubstr(">1 unit: 1 positive, 0 negative<"));
    EXPECT_THAT(svg, HasSubstr(">4 units: 3 positive, 1 negative in 2 classes<"));
    EXPECT_EQ(svg.find(" id="), std::string::npos);
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
    EXPECT_EQ(svg, draw_units(units));
}

TEST(UnitSheet, BreaksTiesByReliabilityThenAge) {
    std::vector<UnitView> units = {unit(1, "a", 5, 5), unit(2, "a", 5, 5), unit(3, "a", 9, 1)};
    units[0].born = 7;
    units[1].born = 6;
    const std::string svg = draw_units(units);
    EXPECT_LT(place_of(svg, 3), place_of(svg, 2));
    EXPECT_LT(place_of(svg, 2), place_of(svg, 1));
    std::swap(units[0], units[2]);
    EXPECT_EQ(draw_units(units), svg);
}

TEST(UnitSheet, LimitsTheUnitsOfAClass) {
    std::vector<UnitView> units;
    for (Lineage i = 0; i < 12; ++i) units.push_back(unit(i, i < 11 ? "many" : "few", i, 0));
    EXPECT_EQ(count_of(draw_units(units), "data-lineage"), 9U);
    const std::string svg = draw_units(units, {.per_class = 3, .columns = 2});
    EXPECT_EQ(count_of(svg, "data-lineage"), 4U);
    EXPECT_THAT(svg, HasSubstr(">11 units: 11 positive, 0 negative; 3 shown<"));
    EXPECT_NE(place_of(svg, 10), std::string::npos);
    EXPECT_EQ(place_of(svg, 7), std::string::npos);
}

TEST(UnitSheet, ShowsTheChainOfTargets) {
    std::vector<UnitView> units = {unit(1, "a", 50, 0)};
    units.push_back(unit_above(2, units[0]));
    const std::string svg = draw_units(units);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "class=\"node\""), 5U);
    EXPECT_EQ(count_of(svg, "class=\"anchor\""), 2U);
    EXPECT_EQ(count_of(svg, "class=\"node below\""), 2U) << "the other two nodes are anchors";
    EXPECT_EQ(count_of(svg, "class=\"edge below\""), 5U);
    EXPECT_EQ(count_of(svg, "class=\"edge\""), 7U);
    EXPECT_THAT(svg, HasSubstr(">+ 9/10, depth 2<"));

    units.push_back(unit_above(3, units[1]));
    units[2].active = 1;
    const std::string deeper = draw_units(units);
    EXPECT_EQ(count_of(deeper, "class=\"anchor\""), 4U);
    // Under the third unit: the own node of the second one and the two nodes of the square that are not
    // anchors.
    EXPECT_EQ(count_of(deeper, "class=\"node below\""), 2U + 3U);
    EXPECT_EQ(count_of(deeper, "class=\"edge below\""), 5U + 7U);
}

TEST(UnitSheet, EndsTheChainAtAMissingOrRepeatedTarget) {
    UnitView orphan = unit_above(2, unit(1, "a", 1, 0));
    EXPECT_EQ(count_of(draw_units(std::array{orphan}), "below\""), 0U);

    std::vector<UnitView> circle = {unit_above(5, orphan), unit_above(6, orphan)};
    circle[0].target = 6;
    circle[1].target = 5;
    EXPECT_EQ(count_of(draw_units(circle), "class=\"edge below\""), 4U);
    UnitView other_schema = unit(1, "a", 1, 0);
    other_schema.pattern = testing::square_network(4);
    EXPECT_EQ(count_of(draw_units(std::array{other_schema, orphan}), "below\""), 0U);
    orphan.target = orphan.lineage;
    EXPECT_EQ(count_of(draw_units(std::array{orphan}), "below\""), 0U);
}

TEST(UnitSheet, ShowsSpatialLayersIfRequested) {
    const std::array units = {unit(1, "a", 1, 0)};
    EXPECT_EQ(count_of(draw_units(units), "class=\"edge\""), 5U);
    EXPECT_EQ(count_of(draw_units(units, {.all_layers = true}), "class=\"edge\""), 7U);
}

TEST(UnitSheet, EscapesLabelsAndTitle) {
    const std::string svg = draw_units(std::array{unit(1, "<b> & \"c\"", 1, 0)}, {.title = "a < b"});
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("class &lt;b&gt; &amp; &quot;c&quot;"));
    EXPECT_THAT(svg, HasSubstr("a &lt; b"));
    EXPECT_THAT(svg, Not(HasSubstr("<b>")));
}

TEST(UnitSheet, DrawsAUnitWithoutNodesAndObservations) {
    UnitView empty = unit(1, "a", 0, 0);
    empty.pattern.clear();
    empty.own_nodes = 0;
    const std::string svg = draw_units(std::array{empty});
    EXPECT_THAT(svg, HasSubstr("no nodes"));
    EXPECT_THAT(svg, HasSubstr(">+ 0/0, depth 1<"));
    EXPECT_THAT(svg, Not(HasSubstr("level where it appears")));
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
}

TEST(UnitSheet, RejectsInvalidInput) {
    const std::array units = {unit(1, "a", 1, 0)};
    expect_usage_error({}, {});
    expect_usage_error(units, {.per_class = 0});
    expect_usage_error(units, {.columns = 0});
    expect_usage_error(units, {.panel = 2});
    std::array invalid = {unit(1, "a", 1, 0)};
    invalid[0].own_nodes = 5;
    EXPECT_THROW((void)draw_units(invalid), Error);
}

} // namespace
} // namespace sprig
