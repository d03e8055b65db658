// Single learning steps on networks of a few nodes.

#include <gmock/gmock.h>

#include "one_class.h"
#include "support.h"

namespace sprig::modeller {
namespace {

using sprig::test::network_of;
using sprig::test::row_of;
using testing::ElementsAre;
using testing::IsEmpty;
using Kind = UnitEvent::Kind;

TEST_F(OneClass, TheFirstSampleCreatesAUnit) {
    const Network network = network_of({{3, 9, 1}, {0, 2, 2}, {5, 4, 8}}, {{0, 1, 0}, {1, 2, 3}});
    const LearnReport report = learn(network, true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::created));
    const Unit& unit = model.unit(only_unit());
    EXPECT_EQ(unit.active, 1U);
    EXPECT_EQ(unit.inactive, 0U);
    EXPECT_EQ(unit.fired, 1U);
    EXPECT_EQ(unit.fired_own, 1U);
    EXPECT_EQ(model.own, 1U);
    // Nodes from left to right, edges by layer.
    ASSERT_THAT(types(only_unit()), ElementsAre(0, 5, 3));
    EXPECT_EQ(unit.nodes[2].mean, (Point{{9, 1, 0}}));
    EXPECT_EQ(unit.nodes[2].n, 1U);
    EXPECT_EQ(unit.nodes[2].own.n, 1);
    ASSERT_EQ(unit.edges.size(), 2U);
    EXPECT_EQ(unit.edges[0].from, unit.nodes[2].slot);
    EXPECT_EQ(unit.edges[0].to, unit.nodes[0].slot);
    EXPECT_EQ(unit.edges[0].mean, (Point{{-7, 1, 0}}));
    EXPECT_EQ(unit.edges[1].layer, 3U);
}

TEST_F(OneClass, ASampleOfAnotherClassCreatesNothing) {
    EXPECT_THAT(kinds(learn(row_of({0, 1}), false)), IsEmpty());
    EXPECT_THAT(model.in_order(), IsEmpty());
    EXPECT_EQ(model.observed, 1U);
    EXPECT_EQ(model.own, 0U);
}

TEST_F(OneClass, ASampleThatLacksAPartRefinesTheUnit) {
    learn(row_of({0, 1, 2, 3}), true);
    const UnitId id = only_unit();
    const LearnReport report =
        learn(network_of({{0, 2, 5}, {1, 6, 5}, {2, 10, 7}}, {{0, 1, 0}, {1, 2, 0}}), true);
    EXPECT_EQ(report.events, (std::vector<UnitEvent>{{Kind::refined, model.unit(id).lineage, {}}}));
    EXPECT_EQ(only_unit(), id);
    const Unit& unit = model.unit(id);
    EXPECT_THAT(types(id), ElementsAre(0, 1, 2));
    EXPECT_EQ(unit.edges.size(), 2U);
    EXPECT_EQ(unit.active, 2U);
    EXPECT_EQ(unit.nodes[0].mean, (Point{{1, 5, 0}}));
    EXPECT_EQ(unit.nodes[2].mean, (Point{{9, 6, 0}}));
    EXPECT_EQ(unit.edges[1].mean, (Point{{4, 1, 0}}));
    EXPECT_EQ(unit.edges[1].n, 2U);
    EXPECT_EQ(unit.nodes[2].own.m2[0], 2) << "8 and 10";
    EXPECT_EQ(unit.pattern.node(2).position, unit.nodes[2].mean) << "the pattern has the same means";
}

TEST_F(OneClass, AdditionalPartsOfASampleAreNotAdded) {
    learn(row_of({0, 1}), true);
    const LearnReport report = learn(row_of({0, 1, 2, 3}), true);
    EXPECT_THAT(report.events, IsEmpty());
    EXPECT_THAT(types(only_unit()), ElementsAre(0, 1));
}

TEST_F(OneClass, APoorMatchDoesNotRefineAUnit) {
    learn(row_of({0, 1, 2, 3}), true);
    // Two of four nodes, but only one of three edges.
    const LearnReport report = learn(row_of({0, 1}), true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::created));
    ASSERT_EQ(model.in_order().size(), 2U);
    EXPECT_THAT(types(model.in_order()[0]), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(model.unit(model.in_order()[0]).active, 1U);
}

TEST_F(OneClass, ASampleOfAnotherClassDoesNotRefine) {
    learn(row_of({0, 1, 2, 3}), true);
    EXPECT_THAT(learn(row_of({0, 1, 2}), false).events, IsEmpty());
    EXPECT_THAT(types(only_unit()), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(model.unit(only_unit()).fired, 1U);
}

TEST_F(OneClass, AUnitIsInactiveInSamplesOfOtherClassesAndItsMeansStay) {
    learn(row_of({0, 1}), true);
    learn(network_of({{0, 10, 5}, {1, 14, 5}}, {{0, 1, 0}}), false);
    const Unit& unit = model.unit(only_unit());
    EXPECT_EQ(unit.active, 1U);
    EXPECT_EQ(unit.inactive, 1U);
    EXPECT_EQ(unit.fired, 2U);
    EXPECT_EQ(unit.fired_own, 1U);
    EXPECT_EQ(unit.nodes[0].mean[0], 0);
    EXPECT_EQ(unit.nodes[0].pool.mean[0], 5);
    EXPECT_EQ(unit.nodes[0].own.mean[0], 0);
}

TEST_F(OneClass, MeansCanBeUpdatedOnEveryMatch) {
    params.means_of_active_only = false;
    learn(row_of({0, 1}), true);
    learn(network_of({{0, 10, 5}, {1, 14, 5}}, {{0, 1, 0}}), false);
    EXPECT_EQ(model.unit(only_unit()).nodes[0].mean[0], 5);
}

TEST_F(OneClass, AnUnreliableUnitGetsASuppressorOfTheRemainder) {
    const UnitId id = unreliable(row_of({0, 1}));
    // Reliability was 1 before the step above, and is 1/2 before this one.
    const Network foreign = network_of({{0, 0, 5}, {1, 4, 5}, {7, 4, 9}, {6, 8, 9}},
                                       {{0, 1, 0}, {1, 0, 0}, {1, 2, 1}, {2, 3, 0}});
    const LearnReport report = learn(foreign, false);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::created));
    const std::vector<UnitId> suppressors = upstreams(id, Polarity::negative);
    ASSERT_EQ(suppressors.size(), 1U);
    const Unit& unit = model.unit(suppressors[0]);
    // Everything that the unit does not cover: two nodes, their edges, and one edge between covered nodes.
    EXPECT_THAT(types(suppressors[0]), ElementsAre(7, 6));
    EXPECT_EQ(unit.edges.size(), 3U);
    EXPECT_THAT(unit.anchors,
                testing::UnorderedElementsAre(model.unit(id).nodes[0].slot, model.unit(id).nodes[1].slot));
    EXPECT_EQ(unit.active, 1U) << "it matches the sample from which it was created";
    EXPECT_EQ(unit.depth, 2U);
    // The same sample again creates nothing.
    EXPECT_THAT(learn(foreign, false).events, IsEmpty());
    EXPECT_EQ(unit.active, 2U);
    EXPECT_EQ(unit.inactive, 0U);
}

TEST_F(OneClass, AReliableUnitGetsNoSuppressor) {
    learn(row_of({0, 1}), true);
    EXPECT_THAT(learn(row_of({0, 1, 2}), false).events, IsEmpty());
    // 19 of 20 is reliable enough.
    for (int i = 0; i < 18; ++i) learn(row_of({0, 1}), true);
    EXPECT_EQ(model.unit(only_unit()).reliability(), 0.95);
    EXPECT_THAT(learn(row_of({0, 1, 2}), false).events, IsEmpty());
}

TEST_F(OneClass, WithoutSuppressorsThereAreNone) {
    params.suppressors = false;
    const UnitId id = unreliable(row_of({0, 1}));
    EXPECT_THAT(learn(row_of({0, 1, 2}), false).events, IsEmpty());
    EXPECT_EQ(only_unit(), id);
}

TEST_F(OneClass, AnUnreliableUnitGetsAPositiveUpstreamFromItsOwnClass) {
    const UnitId id = unreliable(row_of({0, 1}));
    learn(row_of({0, 1, 4}), true);
    const std::vector<UnitId> found = upstreams(id, Polarity::positive);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(types(found[0]), ElementsAre(4));
    EXPECT_THAT(model.unit(found[0]).anchors, ElementsAre(model.unit(id).nodes[1].slot));
}

TEST_F(OneClass, NothingIsCreatedWithoutARemainder) {
    const UnitId id = unreliable(row_of({0, 1}));
    EXPECT_THAT(learn(row_of({0, 1}), false).events, IsEmpty());
    EXPECT_THAT(learn(row_of({0, 1}), true).events, IsEmpty());
    EXPECT_TRUE(model.unit(id).upstreams.empty());
}

TEST_F(OneClass, ASuppressorIsInactiveInSamplesOfItsClass) {
    const UnitId id = unreliable(row_of({0, 1}));
    learn(row_of({0, 1, 2}), false);
    const UnitId suppressor = upstreams(id, Polarity::negative).at(0);
    learn(row_of({0, 1, 2}), true);
    EXPECT_EQ(model.unit(suppressor).active, 1U);
    EXPECT_EQ(model.unit(suppressor).inactive, 1U);
}

TEST_F(OneClass, AnUpstreamUnitIsRefinedOnlyIfReliable) {
    const UnitId id = unreliable(row_of({0, 1}));
    learn(row_of({0, 1, 2, 3}), false);
    const UnitId suppressor = upstreams(id, Polarity::negative).at(0);
    // It has two nodes and two edges; half of it matches.
    LearnReport report = learn(row_of({0, 1, 2}), false);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::refined));
    EXPECT_THAT(types(suppressor), ElementsAre(2));
    // Now unreliable, it is not refined, and a new unit is created for the remainder.
    learn(row_of({0, 1, 2}), true);
    const Network other = network_of({{0, 0, 5}, {1, 4, 5}, {2, 8, 5}}, {{0, 1, 0}});
    report = learn(other, false);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::created));
    EXPECT_EQ(model.unit(suppressor).edges.size(), 1U);
}

TEST_F(OneClass, ResidualsAreKeptWhileTheUnitIsUnreliable) {
    params.residuals = ModellerParams::Residuals::while_unreliable;
    params.reintegration_rate = 0;
    learn(row_of({0, 1, 2, 3, 4}), true);
    const UnitId id = only_unit();
    // Reliable: dropped.
    EXPECT_THAT(kinds(learn(row_of({0, 1, 2, 3}), true)), ElementsAre(Kind::refined));
    learn(row_of({0, 1, 2, 3}), false);
    // Unreliable (2 of 3): kept, with the counts from before this step.
    const LearnReport report = learn(row_of({0, 1, 2}), true);
    EXPECT_THAT(kinds(report), ElementsAre(Kind::refined, Kind::spawned));
    EXPECT_THAT(types(id), ElementsAre(0, 1, 2));
    const UnitId rest = upstreams(id, Polarity::positive).at(0);
    EXPECT_THAT(types(rest), ElementsAre(3));
    EXPECT_EQ(model.unit(rest).active, 2U);
    EXPECT_EQ(model.unit(rest).inactive, 1U);
    EXPECT_EQ(model.unit(rest).fired, 0U);
    EXPECT_EQ(model.unit(id).active, 3U);
    // The whole shape is still known: now the residual matches, too.
    learn(row_of({0, 1, 2, 3}), true);
    EXPECT_EQ(model.unit(rest).active, 3U);
    EXPECT_EQ(model.unit(rest).fired, 1U);
}

TEST_F(OneClass, ResidualsCanBeKeptAlwaysOrNever) {
    for (const auto residuals : {ModellerParams::Residuals::always, ModellerParams::Residuals::dropped}) {
        model = ClassModel("a", 8);
        params.residuals = residuals;
        learn(row_of({0, 1, 2, 3}), true);
        const LearnReport report = learn(row_of({0, 1, 2}), true);
        const bool kept = residuals == ModellerParams::Residuals::always;
        EXPECT_EQ(report.count(Kind::spawned), kept ? 1U : 0U);
        EXPECT_EQ(model.in_order().size(), kept ? 2U : 1U);
    }
}

} // namespace
} // namespace sprig::modeller
