#include <array>
#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;

constexpr std::size_t images = 25;

TEST(Additions, OfNothingChangeNothing) {
    for (const Learner* learner : both()) {
        const auto reader = learner->reader();
        for (std::size_t image = test::learned; image < test::learned + images; ++image) {
            const Network network = test::network_of(*learner, image);
            const std::vector<double> scores = reader->predict(network).scores;
            EXPECT_EQ(reader->scores_with(network, {}), scores);
            const auto missing = reader->possible_additions(network, 1, 0);
            if (missing.empty()) continue;
            (void)reader->scores_with(network, std::span(missing).first(1));
            EXPECT_EQ(reader->predict(network).scores, scores) << "the reader is unchanged";
        }
    }
}

TEST(Additions, OfConstellationAreNodesThatTheUnitLacks) {
    const Learner& learner = *both().front();
    const auto reader = learner.reader();
    std::size_t together = 0;
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const Explanation explanation = reader->explain(network);
        std::set<std::pair<Lineage, NodeId>> seen;
        for (const Addition& addition : reader->possible_additions(network, 3, 5)) {
            const auto unit =
                std::ranges::find(explanation.contributions, addition.unit, &Contribution::unit);
            ASSERT_NE(unit, explanation.contributions.end());
            EXPECT_EQ(unit->label, 3U);
            if (addition.nodes.size() > 1) ++together;
            for (const NodeId node : addition.nodes) {
                EXPECT_EQ(unit->placed.at(node), no_node);
                EXPECT_TRUE(seen.emplace(addition.unit, node).second) << "in one addition only";
            }
        }
    }
    EXPECT_GT(together, images);
}

TEST(Additions, OfConstellationNeverLowerAScore) {
    const Learner& learner = *both().front();
    const auto reader = learner.reader();
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const std::vector<double> before = reader->predict(network).scores;
        const auto missing = reader->possible_additions(network, 3, 5);
        for (std::size_t i = 0; i < std::min<std::size_t>(missing.size(), 6); ++i) {
            const std::vector<double> after = reader->scores_with(network, std::span(missing).subspan(i, 1));
            for (std::size_t k = 0; k < after.size(); ++k) EXPECT_GE(after[k], before[k] - 1e-8);
        }
    }
}

/// An added node gives the same score as a network with that node.
TEST(Additions, OfANodeAreEquivalentToTheNode) {
    ConstellationPreset preset = constellation_preset("paper-vocabulary");
    preset.params.neighbour_weight = 0; // neighbours are not part of an added node
    Constellation model(preset);
    const auto network = [&](std::size_t nodes) {
        Network made(front_end_schema(preset.front_end));
        for (std::size_t i = 0; i < nodes; ++i) {
            const double x = 3.0 * static_cast<double>(i);
            made.add_node(static_cast<std::uint32_t>(i), std::array{x, 5.0}, std::array{3.0, 0.5, 0.0});
        }
        return made;
    };
    for (int i = 0; i < 20; ++i) model.learn(network(4), "four");
    for (int i = 0; i < 20; ++i) model.learn(network(2), "two");
    const auto reader = model.reader();
    const auto missing = reader->possible_additions(network(3), 0, 1);
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].nodes, std::vector<NodeId>{3});
    const std::vector<double> with_addition = reader->scores_with(network(3), missing);
    const std::vector<double> seen = reader->predict(network(4)).scores;
    for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_NEAR(with_addition[k], seen[k], 1e-6);
}

/// Mirrored left to right, which reverses the direction of contours.
Network mirrored(const Network& network) {
    Network result(network.shared_schema());
    const auto directions = static_cast<int>(network.schema().node_types.size() / 4);
    for (NodeId node = 0; node < network.node_count(); ++node) {
        ChangeKind kind = ChangeKind::from_index(network.type(node));
        if (kind.direction == 0)
            kind.maximum = !kind.maximum;
        else
            kind.direction = directions - kind.direction;
        const std::array<double, 2> place = {-network.coordinate(node, 0), network.coordinate(node, 1)};
        result.add_node(kind.index(), place, network.attributes(node));
    }
    for (NodeId node = 0; node < network.node_count(); ++node) result.link(network.next(node), node);
    return result;
}

class PosedAdditions : public testing::TestWithParam<ConstellationParams::Poses> {};
INSTANTIATE_TEST_SUITE_P(All, PosedAdditions,
                         testing::Values(ConstellationParams::Poses::flips, ConstellationParams::Poses::any));

/// If shapes may be mirrored, a mirrored observation gives the same scores.
TEST_P(PosedAdditions, AreInvariantUnderMirroring) {
    ConstellationPreset preset = constellation_preset("default");
    preset.params.poses = GetParam();
    Constellation model(preset);
    test::teach(model, 100);
    const auto reader = model.reader();
    for (std::size_t image = test::learned; image < test::learned + 10; ++image) {
        const Network network = test::network_of(model, image);
        const Network mirror = mirrored(network);
        const auto missing = reader->possible_additions(network, 2, 0);
        const std::size_t few = std::min<std::size_t>(missing.size(), 3);
        const std::vector<double> here = reader->scores_with(network, std::span(missing).first(few));
        const std::vector<double> there = reader->scores_with(mirror, std::span(missing).first(few));
        EXPECT_GT(here[2], reader->predict(network).scores[2] + 1);
        for (std::size_t k = 0; k < here.size(); ++k) EXPECT_NEAR(here[k], there[k], 1e-6) << image;
    }
}

TEST(Additions, OfTheModellerAreAbsentUnitsOfBothClasses) {
    const Learner& learner = *both().back();
    const auto reader = learner.reader();
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const Explanation explanation = reader->explain(network);
        for (const Addition& one : reader->possible_additions(network, 2, 7)) {
            EXPECT_TRUE(one.nodes.empty());
            const auto contribution =
                std::ranges::find(explanation.contributions, one.unit, &Contribution::unit);
            ASSERT_NE(contribution, explanation.contributions.end());
            EXPECT_FALSE(contribution->present);
            EXPECT_TRUE(contribution->label == 2 || contribution->label == 7);
        }
    }
}

/// A unit whose target is neither present nor added does not contribute.
TEST(Additions, OfTheModellerNeedTheirTarget) {
    const Learner& learner = *both().back();
    const auto reader = learner.reader();
    const Network blank(front_end_schema(learner.front_end()));
    const std::vector<double> before = reader->predict(blank).scores;
    std::size_t tried = 0;
    for (const UnitView& unit : learner.units()) {
        if (!unit.target) continue;
        const Addition alone{unit.lineage, {}};
        EXPECT_EQ(reader->scores_with(blank, std::span(&alone, 1)), before);
        ++tried;
    }
    EXPECT_GT(tried, 20U);
    for (const UnitView& unit : learner.units()) {
        if (unit.target) continue;
        const Addition alone{unit.lineage, {}};
        EXPECT_NE(reader->scores_with(blank, std::span(&alone, 1)), before);
    }
}

TEST(Additions, OfUnknownUnitsOrNodesAreRejected) {
    for (const Learner* learner : both()) {
        const auto reader = learner->reader();
        const Network blank(front_end_schema(learner->front_end()));
        const Addition unknown{1234, {0}};
        EXPECT_THROW((void)reader->scores_with(blank, std::span(&unknown, 1)), Error);
        const UnitView unit = learner->units().front();
        const Addition too_far{unit.lineage, {static_cast<NodeId>(unit.own_nodes)}};
        EXPECT_THROW((void)reader->scores_with(blank, std::span(&too_far, 1)), Error);
    }
}

/// No set that reaches the score is smaller than the bound.
TEST(Additions, BoundsHold) {
    const Learner& learner = *both().front();
    const auto reader = learner.reader();
    std::size_t proper = 0;
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const auto missing = reader->possible_additions(network, 4, 0);
        const std::size_t few = std::min<std::size_t>(missing.size(), 8);
        for (std::size_t set = 0; set < (std::size_t{1} << few); ++set) {
            std::vector<Addition> added;
            for (std::size_t i = 0; i < few; ++i)
                if ((set >> i & 1U) != 0) added.push_back(missing[i]);
            const double score = reader->scores_with(network, added)[4];
            const std::size_t least = reader->fewest_needed(network, 4, missing, score);
            EXPECT_LE(least, added.size());
            if (least == added.size()) ++proper;
            if (set % 32 == 31) break; // enough of each image
        }
    }
    EXPECT_GT(proper, images) << "a bound of 0 would hold as well";
}

} // namespace
} // namespace sprig
