// A unit, sample after sample.

#include "constellation/unit.h"

#include <gmock/gmock.h>

#include "support.h"

namespace sprig::constellation {
namespace {

using test::Chance;
using test::Dot;
using test::network_of;
using testing::ElementsAre;
using testing::IsEmpty;

/// Every type occurs at most once, so that a unit's node and the sight's node of its type belong together.
std::vector<std::uint32_t> placed_by_type(const Unit& unit, const Sight& sight) {
    std::vector<std::uint32_t> placed;
    for (const UnitNode& node : unit.nodes) {
        const bool is_there = sight.begin(node.type) < sight.begin(node.type + 1);
        placed.push_back(is_there ? sight.begin(node.type) : nowhere);
    }
    return placed;
}

std::vector<std::uint32_t> types_of(const Unit& unit) {
    std::vector<std::uint32_t> types;
    for (const UnitNode& node : unit.nodes) types.push_back(node.type);
    return types;
}

class Units : public testing::Test {
  protected:
    /// One more sample that shows these types.
    void show(const std::vector<std::uint32_t>& types) {
        std::vector<Dot> dots;
        std::vector<NodeId> ring;
        for (const std::uint32_t type : types) {
            ring.push_back(static_cast<NodeId>(dots.size()));
            dots.push_back({type, chance.between(0, 20), chance.between(0, 20), chance.between(1, 9),
                            chance.between(0, 1.4)});
        }
        sight.assign(network_of(dots, {ring}));
        unit = unit.count == 0 ? found(sight.shown())
                               : joined(unit, sight.shown(), placed_by_type(unit, sight), params);
        ++shown;
    }

    Chance chance{8};
    ConstellationParams params;
    Sight sight{params, 8};
    Unit unit;
    std::uint64_t shown = 0;
};

TEST_F(Units, AUnitIsFoundedOnOneSample) {
    show({5, 0, 3});
    EXPECT_EQ(unit.count, 1U);
    EXPECT_THAT(types_of(unit), ElementsAre(0, 3, 5));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(unit.nodes[i].hits, 1U);
        EXPECT_EQ(unit.nodes[i].watched, 1U);
        for (std::size_t f = 0; f < sight.set().size(); ++f)
            EXPECT_EQ(unit.means[(i * sight.set().size()) + f], sight.features(i)[f]);
    }
    EXPECT_THAT(unit.squares, testing::Each(0.0));
    EXPECT_EQ(unit.squares.size(), unit.means.size());
}

TEST_F(Units, MeansAndSquaresAreThoseOfAllSamplesThatShowedTheNode) {
    params.fading_rate = 0;
    params.late_doubt = 0;
    const std::size_t width = sight.set().size();
    std::vector<std::vector<std::vector<double>>> seen(8); // by type, the rows that were seen
    std::vector<std::uint64_t> first(8, 0);                // by type, the sample that showed it first
    for (int step = 0; step < 400; ++step) {
        std::vector<std::uint32_t> types;
        for (std::uint32_t type = 0; type < 8; ++type)
            if (chance.below(8) > type / 2) types.push_back(type);
        show(types);
        for (std::uint32_t type = 0; type < 8; ++type) {
            if (sight.begin(type) == sight.begin(type + 1)) continue;
            const double* row = sight.features(sight.begin(type));
            if (seen[type].empty()) first[type] = shown;
            seen[type].emplace_back(row, row + width);
        }
    }
    ASSERT_EQ(unit.size(), 8U);
    EXPECT_EQ(unit.count, 400U);
    for (std::uint32_t type = 0; type < 8; ++type) {
        const auto hits = static_cast<double>(seen[type].size());
        EXPECT_EQ(unit.nodes[type].hits, seen[type].size());
        EXPECT_EQ(unit.nodes[type].watched, shown - first[type] + 1);
        for (std::size_t f = 0; f < width; ++f) {
            double mean = 0;
            for (const auto& row : seen[type]) mean += row[f] / hits;
            double squares = 0;
            for (const auto& row : seen[type]) squares += (row[f] - mean) * (row[f] - mean);
            EXPECT_NEAR(unit.means[(type * width) + f], mean, 1e-9);
            EXPECT_NEAR(unit.squares[(type * width) + f], squares, 1e-7);
        }
    }
}

TEST_F(Units, PresenceIsTheShareOfSamplesWithSomeDoubt) {
    show({0, 1});
    for (int i = 0; i < 8; ++i) show({0});
    show({0, 1});
    EXPECT_EQ(unit.nodes[0].hits, 10U);
    EXPECT_EQ(unit.nodes[1].hits, 2U);
    EXPECT_EQ(unit.nodes[1].watched, 10U);
    EXPECT_DOUBLE_EQ(unit.presence(0), 11 / 11.3);
    EXPECT_DOUBLE_EQ(unit.presence(1), 3 / 11.3);
    for (int i = 0; i < 2000; ++i) show({0, 1});
    EXPECT_EQ(unit.presence(0), 0.999) << "never quite certain";
}

TEST_F(Units, WhatKeepsMissingGoesOnceItWasWatchedForLongEnough) {
    params.fading_rate = 0.3;
    params.fading_age = 5;
    show({0, 1, 2});
    show({0, 2}); // of 2 samples
    show({0, 2});
    show({0, 2}); // 1 of 4 is less than 0.3, but it was watched for 4 only
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1, 2));
    show({0, 2}); // 1 of 5
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2));
    EXPECT_EQ(unit.means.size(), 2 * sight.set().size());
    EXPECT_EQ(unit.squares.size(), 2 * sight.set().size());
    // With a rate of 0 nothing ever goes.
    params.fading_rate = 0;
    for (int i = 0; i < 300; ++i) show({0});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2));
    EXPECT_EQ(unit.nodes[1].hits, 5U);
}

TEST_F(Units, WhatIsExactlyAsFrequentAsTheRateStays) {
    params.fading_rate = 0.25;
    params.fading_age = 1;
    show({0, 1});
    for (int i = 0; i < 3; ++i) show({0});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1)) << "1 of 4";
    show({0});
    EXPECT_THAT(types_of(unit), ElementsAre(0)) << "1 of 5";
}

TEST_F(Units, ANodeThatEntersLateIsDoubted) {
    params.late_doubt = 4;
    params.fading_rate = 0;
    show({0});
    show({0, 1}); // one sample missed it
    EXPECT_EQ(unit.nodes[1].watched, 2U);
    EXPECT_EQ(unit.nodes[1].hits, 1U);
    for (int i = 0; i < 20; ++i) show({0, 1});
    show({0, 1, 2}); // 22 samples missed it, 4 count
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1, 2));
    EXPECT_EQ(unit.nodes[2].watched, 5U);
    EXPECT_EQ(unit.nodes[2].hits, 1U);
    const std::size_t width = sight.set().size();
    for (std::size_t f = 0; f < width; ++f) {
        EXPECT_EQ(unit.means[(2 * width) + f], sight.features(2)[f]);
        EXPECT_EQ(unit.squares[(2 * width) + f], 0);
    }
}

TEST_F(Units, StrictUnitsOnlyLose) {
    params.strict = true;
    show({0, 1, 2, 3});
    show({0, 1, 2, 3, 4});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1, 2, 3)) << "nothing enters";
    show({0, 2, 3, 5});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2, 3)) << "what was absent once is gone";
    show({0, 1, 2, 3});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2, 3)) << "and does not come back";
    EXPECT_EQ(unit.nodes[0].hits, 4U);
    show({7});
    EXPECT_THAT(unit.nodes, IsEmpty());
    EXPECT_THAT(unit.means, IsEmpty());
    EXPECT_EQ(unit.count, 5U);
    show({0, 1});
    EXPECT_THAT(unit.nodes, IsEmpty());
}

TEST_F(Units, NameAndBirthAreKept) {
    show({0, 1});
    unit.lineage = 0x1234;
    unit.born = 77;
    for (int i = 0; i < 10; ++i) show({0, 2});
    EXPECT_EQ(unit.lineage, 0x1234U);
    EXPECT_EQ(unit.born, 77U);
    EXPECT_EQ(unit.count, 11U);
}

TEST_F(Units, SeveralNodesOfATypeKeepTheirOrderBeforeThoseThatEnter) {
    params.fading_rate = 0;
    sight.assign(network_of({{3, 10, 10}, {3, 1, 1}}));
    unit = found(sight.shown()); // (1, 1), (10, 10)
    sight.assign(network_of({{3, 9, 9}, {3, 5, 5}, {1, 0, 0}}));
    unit =
        joined(unit, sight.shown(), std::vector<std::uint32_t>{nowhere, 2}, params); // 9, 9 is seen as 10, 10
    ASSERT_THAT(types_of(unit), ElementsAre(1, 3, 3, 3));
    const auto x = [&](std::size_t node) { return unit.means[node * sight.set().size()]; };
    EXPECT_EQ(x(0), 0);
    EXPECT_EQ(x(1), 1) << "missing";
    EXPECT_EQ(x(2), 9.5) << "moved";
    EXPECT_EQ(x(3), 5) << "entered";
    EXPECT_EQ(unit.nodes[1].hits, 1U);
    EXPECT_EQ(unit.nodes[1].watched, 2U);
    EXPECT_EQ(unit.nodes[2].hits, 2U);
}

TEST_F(Units, ASampleWithoutNodesIsASampleToo) {
    show({});
    EXPECT_EQ(unit.count, 1U);
    EXPECT_EQ(unit.size(), 0U);
    show({});
    EXPECT_EQ(unit.count, 2U);
    params.fading_rate = 0;
    show({1});
    EXPECT_THAT(types_of(unit), ElementsAre(1));
    show({});
    EXPECT_EQ(unit.nodes[0].hits, 1U);
    EXPECT_EQ(unit.nodes[0].watched, 4U) << "two before it, one since";
}

TEST_F(Units, BytesGrowWithNodesOnly) {
    show({0, 1});
    const std::size_t before = unit.bytes();
    for (int i = 0; i < 10; ++i) show({0, 1});
    EXPECT_EQ(unit.bytes(), before);
    show({0, 1, 2});
    EXPECT_EQ(unit.bytes() - before, sizeof(UnitNode) + (2 * sight.set().size() * sizeof(double)));
}

} // namespace
} // namespace sprig::constellation
