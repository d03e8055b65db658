// A decision always agrees with the prediction.

#include <limits>

#include <gmock/gmock.h>

#include "support.h"

namespace sprig {
namespace {

using test::network_of;
using test::Random;
using test::random_network;
using test::random_stream;
using test::row_of;
using test::Sample;
using test::Stream;

struct ReachedUnits {
    std::uint64_t predicting = 0;
    std::uint64_t deciding = 0;
};

void expect_same_answer(Reader& reader, const Network& network, ReachedUnits& reached) {
    const Prediction& prediction = reader.predict(network);
    const auto best = prediction.best;
    reached.predicting += prediction.work.reached;
    const Decision& decision = reader.decide(network);
    ASSERT_EQ(decision.best, best);
    reached.deciding += decision.work.reached;
}

TEST(Decide, AgreesOnMnist) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        SCOPED_TRACE(preset);
        const ConstellationPreset chosen = constellation_preset(preset);
        const Stream stream = test::mnist_stream(chosen.front_end, 1200);
        Constellation model(chosen);
        ReachedUnits reached;
        for (std::size_t i = 0; i < 400; ++i) {
            model.learn(stream[i].network, stream[i].label);
            // Also while the model is small.
            if (i % 10 == 0) {
                const std::unique_ptr<Reader> reader = model.reader();
                for (std::size_t j = 0; j < 10; ++j)
                    expect_same_answer(*reader, stream[400 + (10 * (i / 10)) + j].network, reached);
            }
        }
        const std::unique_ptr<Reader> reader = model.reader();
        for (std::size_t i = 0; i < stream.size(); ++i)
            expect_same_answer(*reader, stream[i].network, reached);
        EXPECT_LT(reached.deciding, reached.predicting);
        EXPECT_GT(reached.deciding, 0U);
    }
}

/// Many narrow units, few broad ones, greedy assignment: parameters that affect which units are scored.
std::vector<ConstellationParams> many_params() {
    std::vector<ConstellationParams> all(4);
    all[1].join_threshold = 6;
    all[2].join_threshold = -std::numeric_limits<double>::infinity();
    all[3].assignment = ConstellationParams::Assignment::greedy;
    all[3].position_weight = 0;
    all[3].survivor_weight = 1;
    return all;
}

TEST(Decide, AgreesOnRandomNetworks) {
    ReachedUnits reached;
    for (const ConstellationParams& params : many_params()) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            Constellation model(params, {});
            model.add_class("nothing known");
            learn(model, random_stream(seed, 200, 6));
            const std::unique_ptr<Reader> reader = model.reader();
            for (const Sample& sample : random_stream(seed, 400, 6))
                expect_same_answer(*reader, sample.network, reached);
            Random random(seed);
            for (int i = 0; i < 300; ++i) expect_same_answer(*reader, random_network(random, 20, 5), reached);
        }
    }
    EXPECT_LT(reached.deciding, reached.predicting);
}

TEST(Decide, AgreesWhereBoundsAreTight) {
    // The score of the sample that created a unit equals its bound, so that the smallest mistake in the bound
    // shows. Several equal units together score as much as one.
    ConstellationParams params;
    params.join_threshold = 1e5; // every sample creates a unit
    for (const int copies : {1, 2, 5, 20}) {
        for (const double moved : {0.02, 0.1, 0.3, 1.0, 2.0, 4.0}) {
            const Network network = network_of({{0, 5, 5}, {1, 9, 5}, {2, 9, 9}}, {{0, 1, 2}});
            const Network other = network_of({{0, 5 + moved, 5}, {1, 9, 5}, {2, 9, 9}}, {{0, 1, 2}});
            Constellation model(params, {});
            model.learn(other, "near");
            for (int i = 0; i < copies; ++i) model.learn(network, "exact");
            model.learn(other, "near as well");
            const std::unique_ptr<Reader> reader = model.reader();
            ASSERT_EQ(reader->predict(network).best, 1U);
            EXPECT_EQ(reader->decide(network).best, 1U) << copies << " " << moved;
        }
    }
}

TEST(Decide, TiesGoToTheFirstClass) {
    for (const ConstellationParams& params : many_params()) {
        Constellation model(params, {});
        model.add_class("other");
        const Stream stream = random_stream(4, 60, 1);
        for (const Sample& sample : stream) {
            for (const char* label : {"one", "same", "again"}) model.learn(sample.network, label);
        }
        for (const Sample& sample : random_stream(5, 60, 1)) model.learn(sample.network, "other");
        const std::unique_ptr<Reader> reader = model.reader();
        ReachedUnits reached;
        int first_of_equals = 0;
        for (const Sample& sample : random_stream(4, 200, 1)) {
            const Prediction& prediction = reader->predict(sample.network);
            EXPECT_EQ(prediction.scores[1], prediction.scores[2]);
            EXPECT_EQ(prediction.scores[1], prediction.scores[3]);
            first_of_equals += prediction.best == 1U ? 1 : 0;
            expect_same_answer(*reader, sample.network, reached);
        }
        EXPECT_GT(first_of_equals, 50) << "otherwise there were no ties";
    }
}

TEST(Decide, TiesGoToTheFirstClassInAnyOrderOfBounds) {
    // A class without units and one with an empty unit both score 0, but their bounds differ.
    Constellation model(ConstellationParams{}, {});
    model.add_class("unknown");
    model.learn(network_of({}), "empty");
    model.add_class("unknown as well");
    const std::unique_ptr<Reader> reader = model.reader();
    EXPECT_THAT(reader->predict(row_of({0, 1})).scores, testing::Each(0.0));
    EXPECT_EQ(reader->predict(row_of({0, 1})).best, 0U);
    EXPECT_EQ(reader->decide(row_of({0, 1})).best, 0U);
}

TEST(Decide, IncludesClassesWithoutUnits) {
    Constellation model(ConstellationParams{}, {});
    model.add_class("a");
    model.add_class("b");
    EXPECT_EQ(model.reader()->decide(row_of({0})).best, 0U);
    for (int i = 0; i < 3; ++i) model.learn(row_of({0, 1, 2}), "c");
    model.add_class("d");
    const std::unique_ptr<Reader> reader = model.reader();
    EXPECT_EQ(reader->decide(row_of({0, 1, 2})).best, 2U);
    EXPECT_EQ(reader->decide(row_of({7})).best, 0U) << "better than all nodes absent";
    EXPECT_EQ(reader->decide(network_of({})).best, 0U);
}

TEST(Decide, CountsTheUnitsItScores) {
    Constellation model(ConstellationParams{}, {});
    for (int i = 0; i < 3; ++i) model.learn(row_of({0, 1, 2}), "a");
    EXPECT_EQ(model.reader()->decide(row_of({0, 1, 2})).work.reached, 1U) << "the only unit";
    // A unit with entirely different types is not scored.
    for (int i = 0; i < 3; ++i) model.learn(row_of({5, 6, 7}), "b");
    EXPECT_EQ(model.reader()->predict(row_of({0, 1, 2})).work.reached, 2U);
    EXPECT_EQ(model.reader()->decide(row_of({0, 1, 2})).work.reached, 1U);
    EXPECT_EQ(model.reader()->decide(row_of({0, 1, 2})).best, 0U);
}

} // namespace
} // namespace sprig
