// The operations that change the units of a class, on small structures made by hand.

#include <gmock/gmock.h>

#include "structures.h"

namespace sprig::modeller {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;
using Kind = UnitEvent::Kind;

KeepFlags keep(std::vector<bool> nodes, std::vector<bool> edges) {
    return {std::move(nodes), std::move(edges)};
}

class Structure : public testing::Test {
  protected:
    Structure() : model("a", 8) {
        model.observed = 10;
        model.own = 6;
        base = model.create_unit(no_unit, Birth::positive, 1, row(4));
    }
    [[nodiscard]] NodeSlot slot(UnitId unit, std::size_t index) const {
        return model.unit(unit).nodes[index].slot;
    }
    [[nodiscard]] std::vector<std::uint32_t> types(UnitId unit) const {
        std::vector<std::uint32_t> list;
        for (const NodeRecord& record : model.unit(unit).nodes) list.push_back(record.type);
        return list;
    }
    [[nodiscard]] std::vector<Kind> events() const {
        std::vector<Kind> kinds;
        for (const UnitEvent& event : model.events) kinds.push_back(event.kind);
        return kinds;
    }

    ClassModel model;
    UnitId base = no_unit;
};

TEST_F(Structure, CreateUnitOnTheFirstLevel) {
    model.check();
    const Unit& unit = model.unit(base);
    EXPECT_THAT(model.top_level(), ElementsAre(base));
    EXPECT_EQ(unit.depth, 1U);
    EXPECT_EQ(unit.polarity, Polarity::positive);
    EXPECT_EQ(unit.born, 1U);
    EXPECT_THAT(types(base), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(unit.edges.size(), 3U);
    EXPECT_TRUE(unit.anchors.empty());
    EXPECT_EQ(unit.pattern.node_count(), 4U);
    for (const NodeRecord& record : unit.nodes) EXPECT_EQ(model.owner(record.slot), base);
    EXPECT_EQ(model.events, (std::vector<UnitEvent>{{Kind::created, unit.lineage, {}}}));
}

TEST_F(Structure, CreateUnitUpstreamWithAnchors) {
    const UnitId up = model.create_unit(base, Birth::negative, 2, tip_on({slot(base, 1), slot(base, 3)}));
    model.check();
    const Unit& unit = model.unit(up);
    EXPECT_EQ(unit.polarity, Polarity::negative);
    EXPECT_EQ(unit.depth, 2U);
    EXPECT_THAT(unit.anchors, ElementsAre(slot(base, 1), slot(base, 3)));
    EXPECT_EQ(unit.pattern.anchor_count(), 2U);
    EXPECT_THAT(model.unit(base).upstreams, ElementsAre(up));
    EXPECT_EQ(model.events.back(), (UnitEvent{Kind::created, unit.lineage, model.unit(base).lineage}));
    // The lineage depends on the target, the step and the kind of birth.
    const UnitId other = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 1)}));
    EXPECT_NE(model.unit(other).lineage, unit.lineage);
}

TEST_F(Structure, SplitMovesTheRestToANewUnit) {
    const UnitId up = model.create_unit(base, Birth::negative, 2, tip_on({slot(base, 0), slot(base, 3)}));
    const UnitId upper = model.create_unit(up, Birth::positive, 3, edge_on(slot(base, 3), slot(up, 0)));
    const NodeSlot kept_slot = slot(base, 2);
    const NodeSlot moved_slot = slot(base, 3);
    model.mutable_unit(base).active = 5;
    model.mutable_unit(base).inactive = 2;
    model.mutable_unit(up).active = 2;
    model.events.clear();
    const UnitId rest = model.split(base, keep({true, true, true, false}, {true, true, false}), 4);
    model.check();

    EXPECT_THAT(types(base), ElementsAre(0, 1, 2));
    EXPECT_EQ(model.unit(base).edges.size(), 2U);
    const Unit& unit = model.unit(rest);
    EXPECT_THAT(types(rest), ElementsAre(3));
    EXPECT_EQ(unit.nodes[0].slot, moved_slot) << "a node keeps its slot";
    EXPECT_EQ(model.owner(moved_slot), rest);
    ASSERT_EQ(unit.edges.size(), 1U);
    EXPECT_EQ(unit.edges[0].from, kept_slot);
    EXPECT_THAT(unit.anchors, ElementsAre(kept_slot));
    EXPECT_EQ(model.owner(kept_slot), base);
    // The rest inherits the history of the whole, as a positive unit.
    EXPECT_EQ(unit.polarity, Polarity::positive);
    EXPECT_EQ(unit.active, 5U);
    EXPECT_EQ(unit.inactive, 2U);
    EXPECT_EQ(unit.fired, 0U);
    EXPECT_EQ(unit.born, 4U);
    // The upstreams of the whole now condition the rest, one level higher.
    EXPECT_THAT(model.unit(base).upstreams, ElementsAre(rest));
    EXPECT_THAT(unit.upstreams, ElementsAre(up));
    EXPECT_EQ(unit.depth, 2U);
    EXPECT_EQ(model.unit(up).depth, 3U);
    EXPECT_EQ(model.unit(upper).depth, 4U);
    EXPECT_EQ(model.unit(up).active_at_birth, 2U);
    EXPECT_EQ(model.unit(up).target_at_birth, 2U) << "a negative unit counts when its target is inactive";
    EXPECT_EQ(model.events,
              (std::vector<UnitEvent>{{Kind::refined, model.unit(base).lineage, {}},
                                      {Kind::spawned, unit.lineage, model.unit(base).lineage}}));
}

TEST_F(Structure, SplitOfAnEdgeAloneLeavesAUnitWithoutNodes) {
    const UnitId rest = model.split(base, keep({true, true, true, true}, {true, false, true}), 2);
    model.check();
    EXPECT_TRUE(model.unit(rest).nodes.empty());
    EXPECT_THAT(model.unit(rest).anchors, ElementsAre(slot(base, 1), slot(base, 2)));
}

TEST_F(Structure, ShrinkRemovesEdgesToDeletedNodesFromAllUpstreams) {
    const UnitId up = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 0), slot(base, 3)}));
    UnitContent high = tip_on({slot(base, 3), slot(up, 0)});
    const UnitId higher = model.create_unit(up, Birth::positive, 3, high);
    const NodeSlot gone = slot(base, 3);
    model.events.clear();
    model.shrink(base, keep({true, true, true, false}, {true, true, false}));
    model.check();
    EXPECT_THAT(types(base), ElementsAre(0, 1, 2));
    EXPECT_THAT(model.unit(up).anchors, ElementsAre(slot(base, 0)));
    EXPECT_EQ(model.unit(up).edges.size(), 1U);
    EXPECT_THAT(model.unit(higher).anchors, ElementsAre(slot(up, 0)));
    EXPECT_EQ(model.unit(higher).edges.size(), 1U);
    EXPECT_EQ(model.owner(gone), no_unit);
    EXPECT_THAT(events(), ElementsAre(Kind::refined));
}

TEST_F(Structure, ShrinkByAnEdgeDoesNotChangeUpstreams) {
    const UnitId up = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 3)}));
    model.shrink(base, keep({true, true, true, true}, {true, true, false}));
    model.check();
    EXPECT_EQ(model.unit(base).edges.size(), 2U);
    EXPECT_EQ(model.unit(up).edges.size(), 1U);
}

TEST_F(Structure, AUnitWithoutContentDissolves) {
    const UnitId middle = model.create_unit(base, Birth::positive, 2, edge_on(slot(base, 0), slot(base, 3)));
    const UnitId positive = model.create_unit(middle, Birth::positive, 3, tip_on({slot(base, 0)}));
    const UnitId negative = model.create_unit(middle, Birth::negative, 3, tip_on({slot(base, 1)}));
    const Lineage gone = model.unit(middle).lineage;
    model.events.clear();
    model.shrink(base, keep({true, true, true, false}, {true, true, false}));
    model.check();
    EXPECT_THAT(model.unit(base).upstreams, UnorderedElementsAre(positive, negative));
    EXPECT_EQ(model.unit(positive).depth, 2U);
    EXPECT_EQ(model.unit(positive).polarity, Polarity::positive);
    EXPECT_EQ(model.unit(negative).polarity, Polarity::negative);
    EXPECT_THAT(events(), ElementsAre(Kind::refined, Kind::dissolved));
    EXPECT_EQ(model.events[1].unit, gone);
}

TEST_F(Structure, AboveADissolvedNegativeUnitPolaritiesFlip) {
    const UnitId middle = model.create_unit(base, Birth::negative, 2, edge_on(slot(base, 0), slot(base, 3)));
    const UnitId positive = model.create_unit(middle, Birth::positive, 3, tip_on({slot(base, 0)}));
    const UnitId negative = model.create_unit(middle, Birth::negative, 3, tip_on({slot(base, 1)}));
    const UnitId higher = model.create_unit(positive, Birth::negative, 4, tip_on({slot(base, 1)}));
    model.shrink(base, keep({true, true, true, false}, {true, true, false}));
    model.check();
    EXPECT_EQ(model.unit(positive).polarity, Polarity::negative);
    EXPECT_EQ(model.unit(negative).polarity, Polarity::positive);
    EXPECT_EQ(model.unit(higher).polarity, Polarity::negative)
        << "its target is active in the same cases as before";
    EXPECT_EQ(model.unit(higher).depth, 3U);
}

TEST_F(Structure, ChainsOfUnitsDissolveTogether) {
    const UnitId middle = model.create_unit(base, Birth::negative, 2, edge_on(slot(base, 0), slot(base, 3)));
    const UnitId second =
        model.create_unit(middle, Birth::negative, 3, edge_on(slot(base, 3), slot(base, 1)));
    const UnitId last = model.create_unit(second, Birth::negative, 4, tip_on({slot(base, 1)}));
    model.shrink(base, keep({true, true, true, false}, {true, true, false}));
    model.check();
    EXPECT_FALSE(model.is_alive(middle));
    EXPECT_FALSE(model.is_alive(second));
    EXPECT_EQ(model.unit(last).target, base);
    EXPECT_EQ(model.unit(last).polarity, Polarity::negative) << "flipped twice";
}

TEST_F(Structure, RemoveIncludesTheSubtree) {
    const UnitId up = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 0)}));
    const UnitId higher = model.create_unit(up, Birth::negative, 3, tip_on({slot(up, 0)}));
    const UnitId sibling = model.create_unit(base, Birth::negative, 4, tip_on({slot(base, 2)}));
    model.events.clear();
    model.remove(up);
    model.check();
    EXPECT_FALSE(model.is_alive(up));
    EXPECT_FALSE(model.is_alive(higher));
    EXPECT_THAT(model.unit(base).upstreams, ElementsAre(sibling));
    EXPECT_THAT(model.in_order(), ElementsAre(base, sibling));
    EXPECT_THAT(events(), ElementsAre(Kind::removed, Kind::removed));
    model.remove(base);
    model.check();
    EXPECT_TRUE(model.in_order().empty());
    EXPECT_TRUE(model.top_level().empty());
}

TEST_F(Structure, IdsAreReused) {
    const std::size_t units = model.capacity();
    const std::size_t slots = model.slot_count();
    for (std::uint64_t step = 2; step < 50; ++step) {
        model.remove(base);
        base = model.create_unit(no_unit, Birth::positive, step, row(4));
        model.check();
    }
    EXPECT_EQ(model.capacity(), units);
    EXPECT_EQ(model.slot_count(), slots);
}

TEST_F(Structure, MergeMakesAUnitPartOfItsTarget) {
    const UnitId up = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 0), slot(base, 3)}));
    const UnitId above = model.create_unit(up, Birth::negative, 3, tip_on({slot(up, 0)}));
    const UnitId sibling = model.create_unit(base, Birth::positive, 3, tip_on({slot(base, 1)}));
    const NodeSlot moved = slot(up, 0);
    const Lineage merged = model.unit(up).lineage;
    model.mutable_unit(base).inactive = 3;
    model.mutable_unit(above).active = 2;
    model.events.clear();
    model.merge(up);
    model.check();
    EXPECT_THAT(types(base), ElementsAre(0, 1, 2, 3, 7));
    EXPECT_EQ(model.unit(base).edges.size(), 5U);
    EXPECT_TRUE(model.unit(base).anchors.empty());
    EXPECT_EQ(model.owner(moved), base);
    EXPECT_FALSE(model.is_alive(up));
    EXPECT_THAT(model.unit(base).upstreams, UnorderedElementsAre(above, sibling));
    EXPECT_EQ(model.unit(above).depth, 2U);
    EXPECT_EQ(model.unit(above).active_at_birth, 2U);
    EXPECT_EQ(model.unit(above).target_at_birth, 3U);
    EXPECT_EQ(model.events, (std::vector<UnitEvent>{{Kind::reintegrated, merged, model.unit(base).lineage}}));
}

// Two upstreams that were refined to the same edge may both be merged.
TEST_F(Structure, MergingDoesNotDuplicateAnEdge) {
    const UnitId one = model.create_unit(base, Birth::positive, 2, edge_on(slot(base, 0), slot(base, 3)));
    const UnitId other = model.create_unit(base, Birth::positive, 3, edge_on(slot(base, 0), slot(base, 3)));
    model.merge(one);
    EXPECT_EQ(model.unit(base).edges.size(), 4U);
    model.merge(other);
    model.check();
    EXPECT_EQ(model.unit(base).edges.size(), 4U);
    EXPECT_NO_THROW(view_of(model, base, front_end_schema({})).pattern.check());
}

TEST_F(Structure, AMergedPartCanBeSplitOffAgain) {
    const UnitId up = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 3)}));
    model.merge(up);
    const UnitId rest =
        model.split(base, keep({true, true, true, true, false}, {true, true, true, false}), 3);
    model.check();
    EXPECT_THAT(types(rest), ElementsAre(7));
}

TEST_F(Structure, TargetCountDependsOnPolarity) {
    const UnitId up = model.create_unit(base, Birth::positive, 2, tip_on({slot(base, 0)}));
    const UnitId down = model.create_unit(base, Birth::negative, 2, tip_on({slot(base, 0)}));
    model.mutable_unit(base).active = 4;
    model.mutable_unit(base).inactive = 9;
    EXPECT_EQ(model.target_count(model.unit(base)), 6U) << "steps of the class";
    EXPECT_EQ(model.target_count(model.unit(up)), 4U);
    EXPECT_EQ(model.target_count(model.unit(down)), 9U);
}

} // namespace
} // namespace sprig::modeller
