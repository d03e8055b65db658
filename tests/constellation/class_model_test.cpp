// One class: when a sample joins a unit, when it founds one, and when a unit is retired.

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
        Sight sight(params, 8);
        Explainer explainer(params, sight.set());
        sight.assign(network);
        LearnReport report;
        model.learn({&sight, 1}, explainer, params, report);
        model.check(sight.set(), sight.types());
        return report;
    }
    std::vector<Kind> kinds_of_learning(const Network& network) {
        std::vector<Kind> kinds;
        for (const UnitEvent& event : learn(network).events) kinds.push_back(event.kind);
        return kinds;
    }
    [[nodiscard]] std::vector<std::uint64_t> births() const {
        std::vector<std::uint64_t> list;
        for (const auto& unit : model.units()) list.push_back(unit->unit.born);
        return list;
    }
    [[nodiscard]] std::vector<std::uint64_t> counts() const {
        std::vector<std::uint64_t> list;
        for (const auto& unit : model.units()) list.push_back(unit->unit.count);
        return list;
    }

    ConstellationParams params;
    ClassModel model{"a"};
};

/// Three nodes around a place of their own: nothing that is like another one of these.
Network shape(int which) {
    const double at = 30.0 * which;
    return network_of({{0, at, at}, {1, at + 5, at}, {2, at, at + 7}}, {{0, 1, 2}});
}

TEST_F(OneClass, TheFirstSampleFounds) {
    const LearnReport report = learn(row_of({0, 1, 2}));
    ASSERT_EQ(model.units().size(), 1U);
    EXPECT_THAT(report.events, ElementsAre(UnitEvent{Kind::created, model.units()[0]->unit.lineage}));
    EXPECT_EQ(report.work.reached, 0U);
    EXPECT_THAT(births(), ElementsAre(1));
    EXPECT_EQ(model.samples(), 1U);
}

TEST_F(OneClass, WhatIsAlikeJoinsAndWhatIsNotFounds) {
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::created));
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::refined));
    EXPECT_THAT(kinds_of_learning(shape(1)), ElementsAre(Kind::created));
    EXPECT_THAT(kinds_of_learning(shape(1)), ElementsAre(Kind::refined));
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::refined));
    EXPECT_THAT(births(), ElementsAre(1, 3));
    EXPECT_THAT(counts(), ElementsAre(3, 2));
    const LearnReport report = learn(shape(1));
    EXPECT_EQ(report.work.reached, 2U);
    EXPECT_THAT(report.events, ElementsAre(UnitEvent{Kind::refined, model.units()[1]->unit.lineage}));
}

TEST_F(OneClass, AmongEqualsTheOldestUnitIsJoined) {
    params.join_threshold = 1e5; // everything founds
    for (int i = 0; i < 3; ++i) learn(shape(0));
    params.join_threshold = 0;
    learn(shape(0));
    EXPECT_THAT(counts(), ElementsAre(2, 1, 1));
}

TEST_F(OneClass, WithoutAThresholdThereIsOneUnit) {
    params.join_threshold = -infinity;
    for (int i = 0; i < 50; ++i) learn(shape(i % 7));
    EXPECT_THAT(counts(), ElementsAre(50));
}

TEST_F(OneClass, AUnitThatNobodyJoinsIsRetired) {
    params.patience = 10;
    learn(shape(0)); // sample 1, which nobody joins
    const Lineage first = model.units()[0]->unit.lineage;
    for (int i = 2; i <= 10; ++i) learn(shape(1));
    EXPECT_THAT(births(), ElementsAre(1, 2));
    const LearnReport report = learn(shape(1)); // sample 11
    EXPECT_THAT(births(), ElementsAre(2));
    EXPECT_THAT(report.events, ElementsAre(UnitEvent{Kind::refined, model.units()[0]->unit.lineage},
                                           UnitEvent{Kind::removed, first}));
}

TEST_F(OneClass, AUnitThatWasJoinedOnceStays) {
    params.patience = 10;
    learn(shape(0));
    learn(shape(0));
    for (int i = 0; i < 100; ++i) learn(shape(1));
    EXPECT_THAT(births(), ElementsAre(1, 3));
}

TEST_F(OneClass, TheLastUnitIsNotRetired) {
    params.patience = 1;
    params.join_threshold = 1e5;
    for (int i = 0; i < 20; ++i) {
        learn(shape(i));
        EXPECT_EQ(model.units().size(), 1U);
    }
}

TEST_F(OneClass, OneTooManyAndTheOneThatServesLeastGoes) {
    params.max_units = 3;
    for (int i = 0; i < 6; ++i) learn(shape(0)); // 1 to 6
    for (int i = 0; i < 2; ++i) learn(shape(1)); // 7 and 8: a third of the first one's
    for (int i = 0; i < 5; ++i) learn(shape(2)); // 9 to 13
    EXPECT_THAT(births(), ElementsAre(1, 7, 9));
    const Lineage least = model.units()[1]->unit.lineage;
    const LearnReport report = learn(shape(3)); // 14
    EXPECT_THAT(births(), ElementsAre(1, 9, 14)) << "the newest has had no time yet";
    ASSERT_EQ(report.events.size(), 2U);
    EXPECT_EQ(report.events[0].kind, Kind::created);
    EXPECT_EQ(report.events[1], (UnitEvent{Kind::removed, least}));
}

TEST_F(OneClass, ASampleWithoutNodesIsALookLikeOthers) {
    EXPECT_THAT(kinds_of_learning(network_of({})), ElementsAre(Kind::created));
    for (int i = 0; i < 1000; ++i)
        ASSERT_THAT(kinds_of_learning(network_of({})), ElementsAre(Kind::refined)) << i;
    EXPECT_THAT(counts(), ElementsAre(1001));
    EXPECT_EQ(model.units()[0]->unit.size(), 0U);
    EXPECT_THAT(kinds_of_learning(shape(0)), ElementsAre(Kind::created))
        << "a unit of nothing explains nothing";
    learn(shape(0));
    learn(network_of({}));
    EXPECT_THAT(counts(), ElementsAre(1002, 2));
}

/// Breaks a model by hand; its check must say so.
template <typename Break>
void expect_found(const char* what, Break break_it) {
    const ConstellationParams params;
    ClassModel model("sick");
    Sight sight(params, 8);
    Explainer explainer(params, sight.set());
    LearnReport report;
    for (int i = 0; i < 3; ++i) {
        sight.assign(row_of({0, 1, 2}));
        model.learn({&sight, 1}, explainer, params, report);
    }
    ASSERT_NO_THROW(model.check(sight.set(), sight.types()));
    break_it(const_cast<Unit&>(model.units()[0]->unit)); // NOLINT: nobody else may
    try {
        model.check(sight.set(), sight.types());
        ADD_FAILURE() << "not found: " << what;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), HasSubstr("class 'sick' contradicts itself"));
        EXPECT_THAT(error.what(), HasSubstr(what));
    }
}

TEST(Check, FindsWhatCannotBe) {
    expect_found("has no sample", [](Unit& unit) { unit.count = 0; });
    expect_found("more samples than there were", [](Unit& unit) { unit.count = 4; });
    expect_found("more samples than there were", [](Unit& unit) { unit.born = 0; });
    expect_found("another number of features", [](Unit& unit) { unit.means.pop_back(); });
    expect_found("another number of features", [](Unit& unit) { unit.squares.push_back(0); });
    expect_found("nodes out of order", [](Unit& unit) { std::swap(unit.nodes[0], unit.nodes[2]); });
    expect_found("more often than looked for", [](Unit& unit) { unit.nodes[1].watched = 2; });
    expect_found("more often than looked for", [](Unit& unit) { unit.nodes[1].hits = 0; });
    expect_found("more often than the unit", [](Unit& unit) {
        unit.nodes[1].hits = 4;
        unit.nodes[1].watched = 9;
    });
    expect_found("a mean that is not finite", [](Unit& unit) { unit.means[1] = std::nan(""); });
    expect_found("a sum of squares", [](Unit& unit) { unit.squares[1] = -1e-9; });
    expect_found("a sum of squares", [](Unit& unit) { unit.squares[1] = infinity; });
}

} // namespace
} // namespace sprig::constellation
