// A model of many units decides as a prediction does, and its bounds are never below the scores.

#include <gmock/gmock.h>

#include "constellation/access.h"
#include "constellation/packed_bound.h"
#include "support.h"

namespace sprig::constellation {
namespace {

ConstellationPreset preset_with(const char* preset, ConstellationParams::Poses poses) {
    ConstellationPreset chosen = constellation_preset(preset);
    chosen.params.poses = poses;
    return chosen;
}

/// Every image is a class of its own; of some classes two images are learned.
void learn_many(Constellation& model, const test::Stream& stream, std::size_t classes) {
    for (std::size_t i = 0; i < classes + (classes / 10); ++i)
        model.learn(stream[i].network, std::to_string(i % classes));
}

TEST(ManyUnits, DecideAsPredicted) {
    using Poses = ConstellationParams::Poses;
    struct Case {
        const char* preset;
        Poses poses;
        std::size_t classes;
    };
    for (const auto& [preset, poses, classes] :
         {Case{"default", Poses::fixed, 700}, Case{"fast", Poses::fixed, 700},
          Case{"paper-vocabulary", Poses::fixed, 600}, Case{"fast", Poses::flips, 200},
          Case{"fast", Poses::any, 60}}) {
        SCOPED_TRACE(preset);
        const ConstellationPreset chosen = preset_with(preset, poses);
        const test::Stream stream = test::mnist_stream(chosen.front_end, 850);
        for (const std::size_t ready : {std::size_t{0}, std::size_t{5000}, std::size_t{1000000}}) {
            Constellation model(chosen);
            Access::limit_ready_nodes(model, ready);
            model.add_class("without units");
            learn_many(model, stream, classes);
            const std::unique_ptr<Reader> reader = model.reader();
            std::uint64_t reached = 0;
            for (std::size_t i = 700; i < stream.size(); i += 3) {
                const std::optional<std::size_t> best = reader->predict(stream[i].network).best;
                const Decision& decision = reader->decide(stream[i].network);
                ASSERT_EQ(decision.best, best) << i;
                reached += decision.work.reached;
            }
            EXPECT_LT(reached, 50 * 20U);
        }
    }
}

TEST(ManyUnits, BudgetLimitsWhatIsLookedAt) {
    const ConstellationPreset chosen = constellation_preset("fast");
    const test::Stream stream = test::mnist_stream(chosen.front_end, 900);
    Constellation model(chosen);
    learn_many(model, stream, 700);
    const std::unique_ptr<Reader> all = model.reader();
    const std::unique_ptr<Reader> some = model.reader();
    some->set_budget(64);
    std::size_t others = 0;
    for (std::size_t i = 770; i < stream.size(); ++i) {
        const Network& asked = stream[i].network;
        const Prediction expected = all->predict(asked);
        const Prediction found = some->predict(asked);
        EXPECT_EQ(some->decide(asked).best, found.best);
        EXPECT_LE(found.work.reached, 128U);
        double sum = 0;
        std::size_t scored = 0;
        for (std::size_t label = 0; label < found.scores.size(); ++label) {
            sum += found.probabilities[label];
            if (found.scores[label] == minus_infinity) {
                EXPECT_EQ(found.probabilities[label], 0);
                continue;
            }
            ++scored;
            EXPECT_EQ(found.scores[label], expected.scores[label]);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_LE(scored, 64U);
        others += found.best == expected.best ? 0 : 1;
    }
    EXPECT_LT(others, 13U) << "of 130";
    some->set_budget(100'000);
    for (std::size_t i = 770; i < 790; ++i) {
        EXPECT_EQ(some->predict(stream[i].network).scores, all->predict(stream[i].network).scores);
        EXPECT_EQ(some->decide(stream[i].network).best, all->predict(stream[i].network).best);
    }
    some->set_budget(1);
    EXPECT_EQ(some->predict(stream[770].network).margin, 0) << "nothing to compare with";
}

/// Learning goes on between decisions: the summaries of changed classes are made anew.
TEST(ManyUnits, DecideWhileLearning) {
    const ConstellationPreset chosen = constellation_preset("fast");
    const test::Stream stream = test::mnist_stream(chosen.front_end, 900);
    Constellation model(chosen);
    Access::limit_ready_nodes(model, 2000);
    learn_many(model, stream, 600);
    for (std::size_t i = 700; i < 800; ++i) {
        model.learn(stream[i].network, std::to_string(i - (i % 2 == 0 ? 700 : 0)));
        const std::unique_ptr<Reader> reader = model.reader();
        const Network& asked = stream[i + 100].network;
        ASSERT_EQ(reader->decide(asked).best, reader->predict(asked).best);
        ASSERT_EQ(reader->decide(stream[i].network).best, reader->predict(stream[i].network).best);
    }
}

struct BoundSums {
    double score = 0;
    double by_features = 0;
    double by_place = 0;
    double by_summary = 0;
};

void expect_bounds_hold(const Constellation& model, const test::Stream& stream, BoundSums& sums) {
    const UnitContext context(model.params(), stream.front().network.schema().node_types.size());
    ObservationFeatures observed(context.params, context.types);
    UnitScorer scorer(context.params, context.set);
    ObservationSummary seen;
    PackedBound bounds(context);
    ASSERT_TRUE(bounds.is_possible());
    for (const test::Sample& sample : stream) {
        observed.assign(sample.network);
        seen.assign(observed, context.least_surprise);
        ASSERT_TRUE(seen.is_usable());
        bounds.assign(observed, seen);
        for (const auto& known : Access::classes(model)) {
            for (const auto& unit : known->units()) {
                if (unit->count() > 1) continue;
                const PackedUnit packed(unit->unit(context.set), context.set);
                const UnitSummary& summary = unit->summary(context);
                ASSERT_TRUE(summary.is_usable());
                const ReadyUnit ready(unit->unit(context.set), context);
                const double score = scorer.score(ready.predictive, observed);
                const double by_summary =
                    summary.all_absent() + seen.greatest_gain(summary.values().data()) + rounding_margin;
                const double by_place = bounds.by_place(packed, summary, minus_infinity);
                const double by_features = bounds.by_features(packed, summary, minus_infinity);
                ASSERT_GE(by_features, score);
                ASSERT_GE(by_place, by_features);
                ASSERT_GE(by_summary + 1e-9, by_place);
                ASSERT_EQ(bounds.by_features(packed, summary, score), by_features);
                sums.score += score;
                sums.by_features += by_features;
                sums.by_place += by_place;
                sums.by_summary += by_summary;
            }
        }
    }
}

TEST(ManyUnits, BoundsHold) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        const ConstellationPreset chosen = constellation_preset(preset);
        test::Stream stream = test::mnist_stream(chosen.front_end, 170);
        Constellation model(chosen);
        for (std::size_t i = 0; i < 150; ++i) model.learn(stream[i].network, std::to_string(i));
        stream.erase(stream.begin(), stream.begin() + 130); // some were learned, some were not
        BoundSums sums;
        expect_bounds_hold(model, stream, sums);
        EXPECT_LT(sums.by_features - sums.score, 0.35 * (sums.by_summary - sums.score)) << preset;
    }
}

TEST(ManyUnits, BoundsHoldWithAnyWeights) {
    for (const double position : {0.25, 0.5, 1.0}) {
        for (const double persistence : {0.0, 0.25}) {
            ConstellationParams params;
            params.position_weight = position;
            params.neighbour_weight = 0.25;
            params.sharpness_weight = 0.25;
            params.persistence_weight = persistence;
            Constellation model(params, {});
            test::Stream learned = test::random_stream(7, 80, 1);
            for (std::size_t i = 0; i < learned.size(); ++i)
                model.learn(learned[i].network, std::to_string(i));
            BoundSums sums;
            expect_bounds_hold(model, test::random_stream(8, 60, 6), sums);
            expect_bounds_hold(model, learned, sums);
        }
    }
}

} // namespace
} // namespace sprig::constellation
