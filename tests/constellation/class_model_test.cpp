// One class: when a sample updates a unit, when it creates one, and when a unit is removed.

#include "constellation/class_model.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig::constellation {
namespace {

using test::Dot;
using test::network_of;
using test::row_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Kind = UnitEvent::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();

class OneClass : public testing::Test {
  protected:
    LearnReport learn(const Network& network) {
        const UnitContext context(params, 8);
        PosedObservation sample(params, 8);
        UnitScorer scorer(params, context.set);
        sample.assign(network);
        LearnReport report;
        model.learn(sample, scorer, context, report);
        model.check(context);
        return report;
    }
    std::vector<Kind> kinds_of_learning(const Network& network) {
        std::vector<Kind> kinds;
        for (const UnitEvent& event : learn(network).events) kinds.push_back(event.kind);
        return kinds;
    }
    [[nodiscard]] std::vector<std::uint64_t> births() const {
        std::vector<std::uint64_t> list;
        for (const auto& unit : model.units()) list.push_back(unit->born());
        return list;
    }
    [[nodiscard]] std::vector<std::uint64_t> counts() const {
        std::vector<std::uint64_t> list;
        for (const auto& unit : model.units()) list.push_back(unit->count());
        return list;
    }

    ConstellationParams params;
    ClassModel model{"a"};
};

/// Three nodes. Different shapes are far apart.
Network shape(int which) {
    const double at = 30.0 * which;
    return network_of({{0, at, at}, {1, at + 5, at}, {2, at, at + 7}}, {{0, 1, 2}});
}

TEST_F(OneClass, TheFirstSampleCreatesAUnit) {
    const LearnReport report = learn(row_of({0, 1, 2}));
    ASSERT_EQ(model.units().size(), 1U);
    EXPECT_THAT(report.events, ElementsAre(UnitEvent{Kind::created, model.units()[0]->lineage()}));
    EXPECT_EQ(report.work.reached, 0U);
    EXPECT_THAT(births(), ElementsAre(1));
    EXPECT_EQ(model.samples(), 1U);
}

TEST_F(OneClass, SimilarSamplesShareAUnit) {
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::created));
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::refined));
    EXPECT_THAT(kinds_of_learning(shape(1)), ElementsAre(Kind::created));
    EXPECT_THAT(kinds_of_learning(shape(1)), ElementsAre(Kind::refined));
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::refined));
    EXPECT_THAT(births(), ElementsAre(1, 3));
    EXPECT_THAT(counts(), ElementsAre(3, 2));
    const LearnReport report = learn(shape(1));
    EXPECT_EQ(report.work.reached, 2U);
    EXPECT_THAT(report.events, ElementsAre(UnitEvent{Kind::refined, model.units()[1]->lineage()}));
}

TEST_F(OneClass, TiesGoToTheOldestUnit) {
    params.join_threshold = 1e5; // every sample creates a unit
    for (int i = 0; i < 3; ++i) learn(shape(0));
    params.join_threshold = 0;
    learn(shape(0));
    EXPECT_THAT(counts(), ElementsAre(2, 1, 1));
}

TEST(JoinThreshold, GrowsWithTheSamplesOfTheClass) {
    ConstellationParams params;
    params.join_threshold = 2;
    for (const std::uint64_t samples : {1U, 10U, 11U, 1'000'000U})
        EXPECT_EQ(join_threshold(params, samples), 2) << samples;
    params.join_growth = 1.5;
    EXPECT_EQ(join_threshold(params, 1), 2);
    EXPECT_EQ(join_threshold(params, 10), 2);
    EXPECT_GT(join_threshold(params, 11), 2);
    EXPECT_NEAR(join_threshold(params, 100), 3.5, 1e-12);
    EXPECT_NEAR(join_threshold(params, 10'000), 6.5, 1e-12);
    params.join_threshold = -infinity;
    EXPECT_EQ(join_threshold(params, 1000), -infinity);
}

TEST_F(OneClass, WithGrowthTheSameSampleJoinsOnlyEarly) {
    params.join_growth = 1000;
    std::vector<Kind> kinds;
    for (int i = 1; i <= 10; ++i) kinds = kinds_of_learning(shape(0));
    EXPECT_THAT(kinds, ElementsAre(Kind::refined));
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::created)) << "the threshold is above 40";
}

TEST_F(OneClass, OneUnitWithoutAThreshold) {
    params.join_threshold = -infinity;
    for (int i = 0; i < 50; ++i) learn(shape(i % 7));
    EXPECT_THAT(counts(), ElementsAre(50));
}

TEST_F(OneClass, AUnitWithASingleSampleIsRemoved) {
    params.patience = 10;
    learn(shape(0)); // sample 1, which stays alone in its unit
    const Lineage first = model.units()[0]->lineage();
    for (int i = 2; i <= 10; ++i) learn(shape(1));
    EXPECT_THAT(births(), ElementsAre(1, 2));
    const LearnReport report = learn(shape(1)); // sample 11
    EXPECT_THAT(births(), ElementsAre(2));
    EXPECT_THAT(report.events, ElementsAre(UnitEvent{Kind::refined, model.units()[0]->lineage()},
                                           UnitEvent{Kind::removed, first}));
}

TEST_F(OneClass, AUnitWithASecondSampleStays) {
    params.patience = 10;
    learn(shape(0));
    learn(shape(0));
    for (int i = 0; i < 100; ++i) learn(shape(1));
    EXPECT_THAT(births(), ElementsAre(1, 3));
}

TEST_F(OneClass, TheLastUnitIsNotRemoved) {
    params.patience = 1;
    params.join_threshold = 1e5;
    for (int i = 0; i < 20; ++i) {
        learn(shape(i));
        EXPECT_EQ(model.units().size(), 1U);
    }
}

TEST_F(OneClass, RemovesTheLeastUsedUnitAboveTheMaximum) {
    params.max_units = 3;
    for (int i = 0; i < 6; ++i) learn(shape(0)); // 1 to 6
    for (int i = 0; i < 2; ++i) learn(shape(1)); // 7 and 8: a third of the samples of the first
    for (int i = 0; i < 5; ++i) learn(shape(2)); // 9 to 13
    EXPECT_THAT(births(), ElementsAre(1, 7, 9));
    const Lineage least = model.units()[1]->lineage();
    const LearnReport report = learn(shape(3)); // 14
    EXPECT_THAT(births(), ElementsAre(1, 9, 14)) << "the newest is exempt";
    ASSERT_EQ(report.events.size(), 2U);
    EXPECT_EQ(report.events[0].kind, Kind::created);
    EXPECT_EQ(report.events[1], (UnitEvent{Kind::removed, least}));
}

TEST_F(OneClass, SamplesWithoutNodesShareAUnit) {
    EXPECT_THAT(kinds_of_learning(network_of({})), ElementsAre(Kind::created));
    for (int i = 0; i < 1000; ++i)
        ASSERT_THAT(kinds_of_learning(network_of({})), ElementsAre(Kind::refined)) << i;
    EXPECT_THAT(counts(), ElementsAre(1001));
    EXPECT_EQ(model.units()[0]->size(), 0U);
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::created)) << "an empty unit does not match";
    learn(shape(0));
    learn(network_of({}));
    EXPECT_THAT(counts(), ElementsAre(1002, 2));
}

/// Corrupts a model; its check must find it.
template <typename Corrupt>
void expect_found(const char* what, Corrupt corrupt) {
    const ConstellationParams params;
    ClassModel model("corrupt");
    PosedObservation sample(params, 8);
    const UnitContext context(params, 8);
    UnitScorer scorer(params, context.set);
    LearnReport report;
    const Network network = row_of({0, 1, 2});
    for (int i = 0; i < 3; ++i) {
        sample.assign(network);
        model.learn(sample, scorer, context, report);
    }
    ASSERT_NO_THROW(model.check(context));
    corrupt(const_cast<Unit&>(model.units()[0]->ready()->unit)); // NOLINT: for this test only
    try {
        model.check(context);
        ADD_FAILURE() << "not found: " << what;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), HasSubstr("class 'corrupt' is inconsistent"));
        EXPECT_THAT(error.what(), HasSubstr(what));
    }
}

TEST(Check, FindsInconsistencies) {
    expect_found("has no samples", [](Unit& unit) { unit.count = 0; });
    expect_found("more samples than its class", [](Unit& unit) { unit.count = 4; });
    expect_found("more samples than its class", [](Unit& unit) { unit.born = 0; });
    expect_found("the wrong number of features", [](Unit& unit) { unit.means.pop_back(); });
    expect_found("the wrong number of features", [](Unit& unit) { unit.squares.push_back(0); });
    expect_found("nodes out of order", [](Unit& unit) { std::swap(unit.nodes[0], unit.nodes[2]); });
    expect_found("more hits than samples watched", [](Unit& unit) { unit.nodes[1].watched = 2; });
    expect_found("more hits than samples watched", [](Unit& unit) { unit.nodes[1].hits = 0; });
    expect_found("more hits than the unit has samples", [](Unit& unit) {
        unit.nodes[1].hits = 4;
        unit.nodes[1].watched = 9;
    });
    expect_found("a mean that is not finite", [](Unit& unit) { unit.means[1] = std::nan(""); });
    expect_found("a sum of squares", [](Unit& unit) { unit.squares[1] = -1e-9; });
    expect_found("a sum of squares", [](Unit& unit) { unit.squares[1] = infinity; });
}

} // namespace
} // namespace sprig::constellation
