#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "draw/outline.h"
#include "support.h"

namespace sprig::draw {
namespace {

/// A ring with a stub to its right: it has convex and concave parts and a hole.
Image ring_with_a_stub() {
    Image image(28, 28);
    for (int y = 0; y < 28; ++y)
        for (int x = 0; x < 28; ++x) {
            const double radius = std::hypot(x - 11, y - 14);
            const bool stub = x >= 18 && x <= 25 && y >= 12 && y <= 16;
            if ((radius >= 4 && radius <= 9) || stub) image.at(x, y) = 255;
        }
    return image;
}

/// A unit that expects exactly one network.
UnitView unit_of(const Network& network) {
    UnitView unit{
        .target = {}, .label = "ring", .active = 1, .pattern = network, .own_nodes = network.node_count()};
    const auto between = [&](NodeId from, NodeId to) {
        return std::array{network.coordinate(to, 0) - network.coordinate(from, 0),
                          network.coordinate(to, 1) - network.coordinate(from, 1)};
    };
    for (NodeId node = 0; node < network.node_count(); ++node)
        unit.nodes.push_back({.presence = 1,
                              .spread = {0.5, 0.5},
                              .to_next = between(node, network.next(node)),
                              .to_previous = between(node, network.previous(node))});
    return unit;
}

SchemaStyle style_for(const Network& network) {
    return schema_style(network.schema(), {});
}

bool is_ink(const Image& image, Point at) {
    return image.at(static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y))) > 0;
}

/// The cosine of the angle between two vectors.
double cosine(Point a, Point b) {
    const double lengths = std::hypot(a.x, a.y) * std::hypot(b.x, b.y);
    return lengths > 0 ? ((a.x * b.x) + (a.y * b.y)) / lengths : 1;
}

class OutlineOfAnImage : public ::testing::TestWithParam<int> {
  protected:
    [[nodiscard]] static Network network() {
        FrontEnd front_end({.directions = GetParam()});
        return front_end(ring_with_a_stub().view());
    }
};

TEST_P(OutlineOfAnImage, FollowsItsContours) {
    const Network seen = network();
    const std::vector<OutlineStroke> strokes = outline_of(unit_of(seen), style_for(seen));
    ASSERT_EQ(strokes.size(), seen.node_count());
    for (const OutlineStroke& stroke : strokes) {
        ASSERT_TRUE(stroke.to.has_value());
        EXPECT_EQ(*stroke.to, seen.next(stroke.from));
        EXPECT_EQ(stroke.weight, 1);
    }
}

TEST_P(OutlineOfAnImage, HasTheInkOnTheRightSide) {
    const Image image = ring_with_a_stub();
    const Network seen = network();
    for (const OutlineStroke& stroke : outline_of(unit_of(seen), style_for(seen))) {
        EXPECT_TRUE(is_ink(image, stroke.begin + stroke.begin_inward * 1.5)) << "node " << stroke.from;
        EXPECT_FALSE(is_ink(image, stroke.begin - stroke.begin_inward * 1.5)) << "node " << stroke.from;
        // In the direction of the stroke, the ink is on the left: y grows downwards.
        const Point forward = stroke.first_control - stroke.begin;
        EXPECT_GT(cosine({forward.y, -forward.x}, stroke.begin_inward), 0.99) << "node " << stroke.from;
    }
}

INSTANTIATE_TEST_SUITE_P(Directions, OutlineOfAnImage, ::testing::Values(2, 4, 6));

TEST(Outline, KeepsAlternativesBesideTheClosedOutline) {
    FrontEnd front_end;
    const Network seen = front_end(ring_with_a_stub().view());
    UnitView unit = unit_of(seen);
    // An alternative to node 0, slightly off and in few samples.
    const std::array<double, 2> place = {seen.coordinate(0, 0) + 1, seen.coordinate(0, 1) + 1};
    unit.pattern.add_node(seen.type(0), place, seen.attributes(0));
    unit.nodes.push_back(unit.nodes.front());
    unit.nodes.back().presence = 0.2;
    ++unit.own_nodes;
    std::size_t to_alternative = 0;
    for (const OutlineStroke& stroke : outline_of(unit, style_for(seen))) {
        const bool alternative = stroke.from == seen.node_count() || stroke.to == seen.node_count();
        EXPECT_EQ(stroke.weight, alternative ? 0.2 : 1);
        if (!alternative) {
            EXPECT_EQ(stroke.to, seen.next(stroke.from));
        }
        to_alternative += stroke.to == seen.node_count() ? 1 : 0;
    }
    EXPECT_EQ(to_alternative, 1U);
}

TEST(Outline, SkipsUnlikelyNodes) {
    // In one sample of five, the right side of the shape has a dent.
    Network network(front_end_schema({}));
    const auto add = [&](const ChangeKind& kind, double x, double y) {
        return network.add_node(kind.index(), std::array{x, y}, std::array{1.0, 1.0, 0.0});
    };
    const NodeId right = add({0, true, true}, 8, 5);
    const NodeId dent = add({0, false, false}, 7.5, 4);
    const NodeId upper_right = add({0, true, true}, 8, 3.5);
    const NodeId top = add({1, false, true}, 5, 2);
    UnitView unit{.target = {}, .label = "a", .pattern = network, .own_nodes = 4};
    unit.nodes = {{.presence = 1, .to_next = {-0.5, -1}, .to_previous = {-20, 20}},
                  {.presence = 0.2, .to_next = {0.5, -0.5}, .to_previous = {0.5, 1}},
                  {.presence = 0.2, .to_next = {-3, -1.5}, .to_previous = {-0.5, 0.5}},
                  {.presence = 1, .to_next = {-20, 20}, .to_previous = {3, 1.5}}};
    const std::vector<OutlineStroke> strokes = outline_of(unit, style_for(network));
    const auto weight = [&](NodeId from, NodeId to) {
        double sum = 0;
        for (const OutlineStroke& stroke : strokes)
            if (stroke.from == from && stroke.to == to) sum += stroke.weight;
        return sum;
    };
    EXPECT_DOUBLE_EQ(weight(right, dent), 0.2);
    EXPECT_DOUBLE_EQ(weight(dent, upper_right), 0.2);
    EXPECT_DOUBLE_EQ(weight(upper_right, top), 0.2);
    EXPECT_DOUBLE_EQ(weight(right, top), 0.8);
}

TEST(Outline, ExtendsToAnExpectedNodeThatTheUnitLacks) {
    Network network = testing::square_network();
    UnitView unit{.target = {}, .label = "a", .pattern = network, .own_nodes = 1};
    unit.nodes = {{.presence = 0.8, .to_next = {3, -20}, .to_previous = {0, 20}}};
    const std::vector<OutlineStroke> strokes = outline_of(unit, style_for(network));
    ASSERT_EQ(strokes.size(), 1U);
    EXPECT_EQ(strokes[0].to, std::nullopt);
    EXPECT_EQ(strokes[0].end.x, 11);
    EXPECT_EQ(strokes[0].end.y, -15);
    EXPECT_EQ(strokes[0].weight, 0.4) << "half the probability";
}

TEST(Outline, OfTypesWithoutDirectionIsStraight) {
    const auto schema = std::make_shared<const Schema>(Schema{.node_types = {"star"}});
    Network network(schema);
    for (const double x : {0.0, 5.0}) network.add_node(0, std::array{x, 0.0});
    UnitView unit{.target = {}, .label = "a", .pattern = network, .own_nodes = 2};
    unit.nodes = {{.to_next = {5, 0}, .to_previous = {5, 0}}, {.to_next = {-5, 0}, .to_previous = {-5, 0}}};
    const std::vector<OutlineStroke> strokes = outline_of(unit, style_for(network));
    ASSERT_EQ(strokes.size(), 2U);
    for (const OutlineStroke& stroke : strokes) {
        EXPECT_EQ(stroke.first_control.x, stroke.begin.x);
        EXPECT_EQ(stroke.second_control.x, stroke.end.x);
        EXPECT_EQ(stroke.begin_inward.x, 0);
    }
}

} // namespace
} // namespace sprig::draw
