#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;

constexpr std::size_t images = 25;

TEST(Suppositions, OfNothingChangeNothing) {
    for (const Learner* learner : both()) {
        const auto reader = learner->reader();
        for (std::size_t image = test::learned; image < test::learned + images; ++image) {
            const Network network = test::network_of(*learner, image);
            const std::vector<double> scores = reader->predict(network).scores;
            EXPECT_EQ(reader->scores_if(network, {}), scores);
            const auto missing = reader->suppositions(network, 1, 0);
            if (missing.empty()) continue;
            (void)reader->scores_if(network, std::span(missing).first(1));
            EXPECT_EQ(reader->predict(network).scores, scores) << "and leave nothing behind";
        }
    }
}

TEST(Suppositions, OfConstellationNeverHurtAClass) {
    const Learner& learner = *both().front();
    const auto reader = learner.reader();
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const std::vector<double> before = reader->predict(network).scores;
        const auto missing = reader->suppositions(network, 3, 5);
        for (std::size_t i = 0; i < std::min<std::size_t>(missing.size(), 6); ++i) {
            const std::vector<double> after = reader->scores_if(network, std::span(missing).subspan(i, 1));
            for (std::size_t k = 0; k < after.size(); ++k) EXPECT_GE(after[k], before[k] - 1e-8);
        }
    }
}

/// A node that is supposed counts as one that is there: adding the very node to the network gives the score.
TEST(Suppositions, OfANodeAreAsGoodAsTheNodeItself) {
    ConstellationPreset preset = constellation_preset("paper-vocabulary");
    preset.params.neighbour_weight = 0; // of what a node looks like, all that a network can be given
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
    const auto missing = reader->suppositions(network(3), 0, 1);
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].node, 3U);
    const std::vector<double> supposed = reader->scores_if(network(3), missing);
    const std::vector<double> seen = reader->predict(network(4)).scores;
    for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_NEAR(supposed[k], seen[k], 1e-6);
}

/// Left becomes right: a contour is then walked the other way round.
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

/// An observation in a mirror is the same to a model that looks at all four ways.
TEST(Suppositions, AreTheSameInAMirror) {
    ConstellationPreset preset = constellation_preset("default");
    preset.params.poses = ConstellationParams::Poses::flips;
    Constellation model(preset);
    test::teach(model, 100);
    const auto reader = model.reader();
    for (std::size_t image = test::learned; image < test::learned + 10; ++image) {
        const Network network = test::network_of(model, image);
        const Network mirror = mirrored(network);
        const auto missing = reader->suppositions(network, 2, 0);
        const std::size_t few = std::min<std::size_t>(missing.size(), 3);
        const std::vector<double> here = reader->scores_if(network, std::span(missing).first(few));
        const std::vector<double> there = reader->scores_if(mirror, std::span(missing).first(few));
        EXPECT_GT(here[2], reader->predict(network).scores[2] + 1);
        for (std::size_t k = 0; k < here.size(); ++k) EXPECT_NEAR(here[k], there[k], 1e-6) << image;
    }
}

TEST(Suppositions, OfTheModellerAreSilentUnitsOfBothClasses) {
    const Learner& learner = *both().back();
    const auto reader = learner.reader();
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const Explanation explanation = reader->explain(network);
        for (const Supposition& one : reader->suppositions(network, 2, 7)) {
            EXPECT_FALSE(one.node.has_value());
            const auto said = std::ranges::find(explanation.contributions, one.unit, &Contribution::unit);
            ASSERT_NE(said, explanation.contributions.end());
            EXPECT_FALSE(said->present);
            EXPECT_TRUE(said->label == 2 || said->label == 7);
        }
    }
}

/// A unit whose target is neither there nor supposed says nothing.
TEST(Suppositions, OfTheModellerNeedWhatTheyStandOn) {
    const Learner& learner = *both().back();
    const auto reader = learner.reader();
    const Network blank(front_end_schema(learner.front_end()));
    const std::vector<double> before = reader->predict(blank).scores;
    std::size_t tried = 0;
    for (const UnitView& unit : learner.units()) {
        if (!unit.target) continue;
        const Supposition alone{unit.lineage, {}};
        EXPECT_EQ(reader->scores_if(blank, std::span(&alone, 1)), before);
        ++tried;
    }
    EXPECT_GT(tried, 20U);
    for (const UnitView& unit : learner.units()) {
        if (unit.target) continue;
        const Supposition alone{unit.lineage, {}};
        EXPECT_NE(reader->scores_if(blank, std::span(&alone, 1)), before);
    }
}

TEST(Suppositions, OfWhatNobodyAsksForAreRefused) {
    for (const Learner* learner : both()) {
        const auto reader = learner->reader();
        const Network blank(front_end_schema(learner->front_end()));
        const Supposition unknown{1234, 0};
        EXPECT_THROW((void)reader->scores_if(blank, std::span(&unknown, 1)), Error);
        const UnitView unit = learner->units().front();
        const Supposition too_far{unit.lineage, static_cast<NodeId>(unit.own_nodes)};
        EXPECT_THROW((void)reader->scores_if(blank, std::span(&too_far, 1)), Error);
    }
}

/// The bound is right: no set that lifts the class to the score is smaller.
TEST(Suppositions, BoundsHold) {
    const Learner& learner = *both().front();
    const auto reader = learner.reader();
    std::size_t proper = 0;
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const auto missing = reader->suppositions(network, 4, 0);
        const std::size_t few = std::min<std::size_t>(missing.size(), 8);
        for (std::size_t set = 0; set < (std::size_t{1} << few); ++set) {
            std::vector<Supposition> added;
            for (std::size_t i = 0; i < few; ++i)
                if ((set >> i & 1U) != 0) added.push_back(missing[i]);
            const double score = reader->scores_if(network, added)[4];
            const std::size_t least = reader->least_needed(network, 4, missing, score);
            EXPECT_LE(least, added.size());
            if (least == added.size()) ++proper;
            if (set % 32 == 31) break; // enough of each image
        }
    }
    EXPECT_GT(proper, images) << "a bound of 0 would hold, too";
}

} // namespace
} // namespace sprig
