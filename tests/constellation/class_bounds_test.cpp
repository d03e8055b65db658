// The bounds of a class's units are never below their scores, and much closer to them than bounds that do not
// compare positions.

#include <gmock/gmock.h>

#include "constellation/access.h"
#include "constellation/class_model.h"
#include "support.h"

namespace sprig {
namespace {

using constellation::ObservationFeatures;
using constellation::ObservedFloats;
using constellation::UnitScorer;

struct BoundSums {
    double score = 0;
    double bound = 0;
    double plain_bound = 0;
    std::size_t count = 0;
};

/// Compares the bounds of all units of a model with their scores for one observation.
void expect_bounds_hold(const Constellation& model, const Network& network, BoundSums& sums) {
    const std::size_t types = network.schema().node_types.size();
    std::vector<ObservationFeatures> poses = constellation::make_observation_features(model.params(), types);
    UnitScorer scorer(model.params(), poses.front().set());
    for (ObservationFeatures& observed : poses) {
        observed.assign(network);
        ObservedFloats floats;
        floats.assign(observed);
        for (const auto& known : constellation::Access::classes(model)) {
            const auto snapshot = known->snapshot(observed.set(), types);
            if (!snapshot->bounds.is_usable() || !floats.is_usable()) continue;
            for (std::size_t i = 0; i < snapshot->units.size(); ++i) {
                const double score = scorer.score(snapshot->units[i]->predictive, observed);
                const double bound = snapshot->bounds.compute(i, floats);
                ASSERT_GE(bound, score);
                sums.score += score;
                sums.bound += bound;
                sums.plain_bound += UnitScorer::bound(snapshot->units[i]->predictive, observed);
                ++sums.count;
            }
        }
    }
}

TEST(ClassBounds, HoldOnMnist) {
    for (const char* preset : {"default", "paper-vocabulary", "accurate", "general"}) {
        SCOPED_TRACE(preset);
        const ConstellationPreset chosen = constellation_preset(preset);
        const test::Stream stream = test::mnist_stream(chosen.front_end, 500);
        Constellation model(chosen);
        for (std::size_t i = 0; i < 400; ++i) model.learn(stream[i].network, stream[i].label);
        BoundSums sums;
        for (std::size_t i = 380; i < stream.size(); ++i) expect_bounds_hold(model, stream[i].network, sums);
        ASSERT_GT(sums.count, 0U);
        EXPECT_LT(sums.bound - sums.score, 0.4 * (sums.plain_bound - sums.score));
    }
}

TEST(ClassBounds, HoldOnRandomNetworksWithAnyWeights) {
    for (const double position : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        for (const double persistence : {0.0, 1.0}) {
            ConstellationParams params;
            params.position_weight = position;
            params.persistence_weight = persistence;
            Constellation model(params, {});
            learn(model, test::random_stream(7, 200, 6));
            BoundSums sums;
            for (const test::Sample& sample : test::random_stream(8, 100, 6))
                expect_bounds_hold(model, sample.network, sums);
            EXPECT_GT(sums.count, 0U);
        }
    }
}

} // namespace
} // namespace sprig
