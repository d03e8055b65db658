#include "constellation/bends.h"

#include <array>

#include <gmock/gmock.h>

#include "sprig/front_end.h"

namespace sprig::constellation {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;
using Point = std::array<double, 2>;

/// A unit whose nodes follow each other, the last one before the first.
UnitView ring(const std::vector<Point>& places) {
    UnitView unit{
        .target = {}, .label = {}, .pattern = Network(front_end_schema({})), .own_nodes = places.size()};
    const std::vector<double> attributes(unit.pattern.schema().attributes.size(), 0.0);
    const auto offset = [](const Point& from, const Point& to) {
        return Point{to[0] - from[0], to[1] - from[1]};
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Point& next = places[(i + 1) % places.size()];
        const Point& previous = places[(i + places.size() - 1) % places.size()];
        unit.pattern.add_node(0, places[i], attributes);
        unit.nodes.push_back(
            {.to_next = offset(places[i], next), .to_previous = offset(places[i], previous)});
    }
    return unit;
}

TEST(Bends, AreNodesAtNearlyOnePlaceInTheOrderOfTheContour) {
    const UnitView unit = ring({{0, 0}, {1, 0}, {2, 1}, {20, 0}, {21, 1}, {10, 30}});
    const std::array<NodeId, 6> all = {5, 4, 3, 2, 1, 0};
    EXPECT_THAT(bends_of(unit, all),
                UnorderedElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4), ElementsAre(5)));
}

TEST(Bends, AreOfTheGivenNodesOnly) {
    const UnitView unit = ring({{0, 0}, {2.4, 0}, {4.8, 0}, {20, 0}});
    EXPECT_THAT(bends_of(unit, std::array<NodeId, 2>{0, 2}),
                UnorderedElementsAre(ElementsAre(0), ElementsAre(2)))
        << "the node between them is not missing";
    EXPECT_THAT(bends_of(unit, std::span<const NodeId>()), testing::IsEmpty());
}

TEST(Bends, DoNotJoinTheTwoSidesOfAStroke) {
    // Along the upper side to the right, and back along the lower side.
    const UnitView unit = ring({{0, 0}, {30, 0}, {30, 2}, {0, 2}});
    EXPECT_THAT(bends_of(unit, std::array<NodeId, 4>{0, 1, 2, 3}),
                UnorderedElementsAre(ElementsAre(3, 0), ElementsAre(1, 2)));
}

TEST(Bends, AreNotLongerThanAStrokeIsWide) {
    std::vector<Point> places;
    for (int i = 0; i < 30; ++i) places.push_back({static_cast<double>(i), 0});
    places.push_back({15, 40});
    const UnitView unit = ring(places);
    std::vector<NodeId> line(30);
    for (NodeId node = 0; node < 30; ++node) line[node] = node;
    std::size_t nodes = 0;
    for (const std::vector<NodeId>& bend : bends_of(unit, line)) {
        EXPECT_LE(bend.back() - bend.front(), 5U);
        nodes += bend.size();
    }
    EXPECT_EQ(nodes, 30U);
}

} // namespace
} // namespace sprig::constellation
