// The bounds of units are never below their scores, and screened bounds are much closer to them than ranked
// ones.

#include <gmock/gmock.h>

#include "constellation/access.h"
#include "constellation/class_model.h"
#include "support.h"

namespace sprig {
namespace {

using constellation::minus_infinity;
using constellation::ObservationFeatures;
using constellation::ObservationLanes;
using constellation::UnitScorer;

struct BoundSums {
    double score = 0;
    double screened = 0;
    double ranked = 0;
    std::size_t count = 0;
};

/// Compares the bounds of all units of a model with their scores for one observation.
void expect_bounds_hold(const Constellation& model, const Network& network, BoundSums& sums) {
    const std::size_t types = network.schema().node_types.size();
    std::vector<ObservationFeatures> poses = constellation::make_observation_features(model.params(), types);
    UnitScorer scorer(model.params(), poses.front().set());
    for (ObservationFeatures& observed : poses) {
        observed.assign(network);
        ObservationLanes lanes;
        lanes.assign(observed);
        for (const auto& known : constellation::Access::classes(model)) {
            for (const auto& unit : known->units()) {
                const constellation::ReadyUnit& ready = *unit->ready();
                const constellation::ScreenedPair pair{ready.predictive, ready.ranked_gains(),
                                                       ready.lanes(observed.set()), observed, lanes};
                const double score = scorer.score(ready.predictive, observed);
                const double ranked = constellation::ranked_bound(pair);
                const double screened = constellation::screened_bound(pair, ranked, minus_infinity);
                ASSERT_GE(ranked, score);
                ASSERT_GE(screened, score);
                // A floor does not change a bound that reaches it.
                ASSERT_EQ(constellation::screened_bound(pair, ranked, score), screened);
                sums.score += score;
                sums.screened += screened;
                sums.ranked += ranked;
                ++sums.count;
            }
        }
    }
}

TEST(Screening, HoldOnMnist) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        SCOPED_TRACE(preset);
        const ConstellationPreset chosen = constellation_preset(preset);
        const test::Stream stream = test::mnist_stream(chosen.front_end, 500);
        Constellation model(chosen);
        for (std::size_t i = 0; i < 400; ++i) model.learn(stream[i].network, stream[i].label);
        BoundSums sums;
        for (std::size_t i = 380; i < stream.size(); ++i) expect_bounds_hold(model, stream[i].network, sums);
        ASSERT_GT(sums.count, 0U);
        EXPECT_LT(sums.screened - sums.score, 0.4 * (sums.ranked - sums.score));
    }
}

TEST(Screening, HoldOnRandomNetworksWithAnyWeights) {
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

/// Numbers that are too large for the error bounds: nothing is screened, and the ranked bound stays.
TEST(Screening, LeavesLargeNumbersAlone) {
    ConstellationParams params;
    Constellation model(params, {});
    learn(model, test::random_stream(7, 20, 2));
    const test::Stream stream = test::random_stream(9, 1, 2);
    const std::size_t types = stream.front().network.schema().node_types.size();
    ObservationFeatures observed(params, types);
    observed.assign(stream.front().network);
    std::vector<double> far(observed.set().size(), 1000.0);
    observed.add({.type = 0, .features = far, .pose = {}});
    ObservationLanes lanes;
    lanes.assign(observed);
    EXPECT_FALSE(lanes.is_usable);
    for (const auto& unit : constellation::Access::classes(model).front()->units()) {
        const constellation::ReadyUnit& ready = *unit->ready();
        const constellation::ScreenedPair pair{ready.predictive, ready.ranked_gains(),
                                               ready.lanes(observed.set()), observed, lanes};
        const double ranked = constellation::ranked_bound(pair);
        EXPECT_EQ(constellation::screened_bound(pair, ranked, minus_infinity), ranked);
        EXPECT_GE(ranked, UnitScorer(params, observed.set()).score(ready.predictive, observed));
    }
}

} // namespace
} // namespace sprig
