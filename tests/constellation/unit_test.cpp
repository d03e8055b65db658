// How a unit changes with each sample.

#include "constellation/unit.h"

#include <gmock/gmock.h>

#include "support.h"

namespace sprig::constellation {
namespace {

using test::Dot;
using test::network_of;
using test::Random;
using testing::ElementsAre;
using testing::IsEmpty;

/// Every type occurs at most once, so that a node of the unit is placed on the observed node of its type.
std::vector<std::uint32_t> placed_by_type(const Unit& unit, const ObservationFeatures& observed) {
    std::vector<std::uint32_t> placed;
    for (const UnitNode& node : unit.nodes) {
        const bool is_there = observed.begin(node.type) < observed.begin(node.type + 1);
        placed.push_back(is_there ? observed.begin(node.type) : unassigned);
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
    /// Adds a sample with nodes of these types.
    void learn(const std::vector<std::uint32_t>& types) {
        std::vector<Dot> dots;
        std::vector<NodeId> ring;
        for (const std::uint32_t type : types) {
            ring.push_back(static_cast<NodeId>(dots.size()));
            dots.push_back({type, random.between(0, 20), random.between(0, 20), random.between(1, 9),
                            random.between(0, 1.4)});
        }
        observed.assign(network_of(dots, {ring}));
        unit = unit.count == 0 ? make_unit(observed.view())
                               : updated_unit(unit, observed.view(), placed_by_type(unit, observed), params);
        ++samples;
    }

    Random random{8};
    ConstellationParams params;
    ObservationFeatures observed{params, 8};
    Unit unit;
    std::uint64_t samples = 0;
};

TEST_F(Units, AUnitIsMadeFromOneSample) {
    learn({5, 0, 3});
    EXPECT_EQ(unit.count, 1U);
    EXPECT_THAT(types_of(unit), ElementsAre(0, 3, 5));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(unit.nodes[i].hits, 1U);
        EXPECT_EQ(unit.nodes[i].watched, 1U);
        for (std::size_t f = 0; f < observed.set().size(); ++f)
            EXPECT_EQ(unit.means[(i * observed.set().size()) + f], observed.features(i)[f]);
    }
    EXPECT_THAT(unit.squares, testing::Each(0.0));
    EXPECT_EQ(unit.squares.size(), unit.means.size());
}

TEST_F(Units, StatisticsCoverAllSamplesWithTheNode) {
    params.fading_rate = 0;
    params.late_doubt = 0;
    const std::size_t width = observed.set().size();
    std::vector<std::vector<std::vector<double>>> seen(8); // by type: the observed rows
    std::vector<std::uint64_t> first(8, 0);                // by type: its first sample
    for (int step = 0; step < 400; ++step) {
        std::vector<std::uint32_t> types;
        for (std::uint32_t type = 0; type < 8; ++type)
            if (random.below(8) > type / 2) types.push_back(type);
        learn(types);
        for (std::uint32_t type = 0; type < 8; ++type) {
            if (observed.begin(type) == observed.begin(type + 1)) continue;
            const double* row = observed.features(observed.begin(type));
            if (seen[type].empty()) first[type] = samples;
            seen[type].emplace_back(row, row + width);
        }
    }
    ASSERT_EQ(unit.size(), 8U);
    EXPECT_EQ(unit.count, 400U);
    for (std::uint32_t type = 0; type < 8; ++type) {
        const auto hits = static_cast<double>(seen[type].size());
        EXPECT_EQ(unit.nodes[type].hits, seen[type].size());
        EXPECT_EQ(unit.nodes[type].watched, samples - first[type] + 1);
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

TEST_F(Units, PresenceIsTheSmoothedShareOfSamples) {
    learn({0, 1});
    for (int i = 0; i < 8; ++i) learn({0});
    learn({0, 1});
    EXPECT_EQ(unit.nodes[0].hits, 10U);
    EXPECT_EQ(unit.nodes[1].hits, 2U);
    EXPECT_EQ(unit.nodes[1].watched, 10U);
    EXPECT_DOUBLE_EQ(presence_of(unit.nodes[0]), 11 / 11.3);
    EXPECT_DOUBLE_EQ(presence_of(unit.nodes[1]), 3 / 11.3);
    for (int i = 0; i < 2000; ++i) learn({0, 1});
    EXPECT_EQ(presence_of(unit.nodes[0]), 0.999) << "never 1";
}

TEST_F(Units, RareNodesAreDroppedAfterTheFadingAge) {
    params.fading_rate = 0.3;
    params.fading_age = 5;
    learn({0, 1, 2});
    learn({0, 2}); // of 2 samples
    learn({0, 2});
    learn({0, 2}); // 1 of 4 is less than 0.3, but it was watched for only 4
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1, 2));
    learn({0, 2}); // 1 of 5
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2));
    EXPECT_EQ(unit.means.size(), 2 * observed.set().size());
    EXPECT_EQ(unit.squares.size(), 2 * observed.set().size());
    // With a rate of 0 no node is dropped.
    params.fading_rate = 0;
    for (int i = 0; i < 300; ++i) learn({0});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2));
    EXPECT_EQ(unit.nodes[1].hits, 5U);
}

TEST_F(Units, NodesExactlyAtTheFadingRateStay) {
    params.fading_rate = 0.25;
    params.fading_age = 1;
    learn({0, 1});
    for (int i = 0; i < 3; ++i) learn({0});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1)) << "1 of 4";
    learn({0});
    EXPECT_THAT(types_of(unit), ElementsAre(0)) << "1 of 5";
}

TEST_F(Units, LateNodesCountAsAbsentBefore) {
    params.late_doubt = 4;
    params.fading_rate = 0;
    learn({0});
    learn({0, 1}); // absent from one sample
    EXPECT_EQ(unit.nodes[1].watched, 2U);
    EXPECT_EQ(unit.nodes[1].hits, 1U);
    for (int i = 0; i < 20; ++i) learn({0, 1});
    learn({0, 1, 2}); // absent from 22 samples, 4 count
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1, 2));
    EXPECT_EQ(unit.nodes[2].watched, 5U);
    EXPECT_EQ(unit.nodes[2].hits, 1U);
    const std::size_t width = observed.set().size();
    for (std::size_t f = 0; f < width; ++f) {
        EXPECT_EQ(unit.means[(2 * width) + f], observed.features(2)[f]);
        EXPECT_EQ(unit.squares[(2 * width) + f], 0);
    }
}

TEST_F(Units, StrictUnitsOnlyLoseNodes) {
    params.strict = true;
    learn({0, 1, 2, 3});
    learn({0, 1, 2, 3, 4});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 1, 2, 3)) << "no node is added";
    learn({0, 2, 3, 5});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2, 3)) << "a node is dropped when it is first absent";
    learn({0, 1, 2, 3});
    EXPECT_THAT(types_of(unit), ElementsAre(0, 2, 3)) << "and not added again";
    EXPECT_EQ(unit.nodes[0].hits, 4U);
    learn({7});
    EXPECT_THAT(unit.nodes, IsEmpty());
    EXPECT_THAT(unit.means, IsEmpty());
    EXPECT_EQ(unit.count, 5U);
    learn({0, 1});
    EXPECT_THAT(unit.nodes, IsEmpty());
}

TEST_F(Units, LineageAndBirthAreKept) {
    learn({0, 1});
    unit.lineage = 0x1234;
    unit.born = 77;
    for (int i = 0; i < 10; ++i) learn({0, 2});
    EXPECT_EQ(unit.lineage, 0x1234U);
    EXPECT_EQ(unit.born, 77U);
    EXPECT_EQ(unit.count, 11U);
}

TEST_F(Units, AddedNodesFollowExistingNodesOfTheirType) {
    params.fading_rate = 0;
    observed.assign(network_of({{3, 10, 10}, {3, 1, 1}}));
    unit = make_unit(observed.view()); // (1, 1), (10, 10)
    observed.assign(network_of({{3, 9, 9}, {3, 5, 5}, {1, 0, 0}}));
    // (10, 10) is placed on (9, 9).
    unit = updated_unit(unit, observed.view(), std::vector<std::uint32_t>{unassigned, 2}, params);
    ASSERT_THAT(types_of(unit), ElementsAre(1, 3, 3, 3));
    const auto x = [&](std::size_t node) { return unit.means[node * observed.set().size()]; };
    EXPECT_EQ(x(0), 0);
    EXPECT_EQ(x(1), 1) << "absent";
    EXPECT_EQ(x(2), 9.5) << "moved";
    EXPECT_EQ(x(3), 5) << "added";
    EXPECT_EQ(unit.nodes[1].hits, 1U);
    EXPECT_EQ(unit.nodes[1].watched, 2U);
    EXPECT_EQ(unit.nodes[2].hits, 2U);
}

TEST_F(Units, SamplesWithoutNodesCount) {
    learn({});
    EXPECT_EQ(unit.count, 1U);
    EXPECT_EQ(unit.size(), 0U);
    learn({});
    EXPECT_EQ(unit.count, 2U);
    params.fading_rate = 0;
    learn({1});
    EXPECT_THAT(types_of(unit), ElementsAre(1));
    learn({});
    EXPECT_EQ(unit.nodes[0].hits, 1U);
    EXPECT_EQ(unit.nodes[0].watched, 4U) << "two before it, one since";
}

TEST_F(Units, BytesDependOnlyOnTheNumberOfNodes) {
    learn({0, 1});
    const auto bytes = [&] { return stored_bytes(unit.size(), observed.set()); };
    const std::size_t before = bytes();
    for (int i = 0; i < 10; ++i) learn({0, 1});
    EXPECT_EQ(bytes(), before);
    learn({0, 1, 2});
    EXPECT_EQ(bytes() - before, sizeof(UnitNode) + (2 * observed.set().size() * sizeof(double)));
}

} // namespace
} // namespace sprig::constellation
