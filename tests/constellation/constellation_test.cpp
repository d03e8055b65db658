// The learner as a whole and its readers.

#include "sprig/constellation.h"

#include <cmath>
#include <limits>
#include <map>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"
#include "support/refused.h"

namespace sprig {
namespace {

using test::expect_refused;
using test::network_of;
using test::random_stream;
using test::row_of;
using test::Sample;
using test::Stream;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Growth, OneUnitPerClassWithoutAThreshold) {
    ConstellationParams params;
    params.join_threshold = -infinity;
    Constellation model(params, {});
    learn(model, random_stream(1, 300));
    EXPECT_THAT(model.classes(), testing::UnorderedElementsAre("a", "b", "c"));
    EXPECT_EQ(model.model_size().total(), 3U);
    EXPECT_EQ(model.steps(), 300U);
    std::uint64_t samples = 0;
    for (const UnitView& unit : model.units()) samples += unit.active;
    EXPECT_EQ(samples, 300U);
}

TEST(Growth, TheNumberOfUnitsStaysBounded) {
    for (const double threshold : {3.0, 8.0, 1e5}) {
        ConstellationParams params;
        params.join_threshold = threshold;
        params.max_units = 7;
        params.patience = 40;
        Constellation model(params, {});
        std::size_t created = 0;
        std::size_t removed = 0;
        for (const Sample& sample : random_stream(2, 2000)) {
            const LearnReport report = model.learn(sample.network, sample.label);
            created += report.count(UnitEvent::Kind::created);
            removed += report.count(UnitEvent::Kind::removed);
            ASSERT_EQ(report.count(UnitEvent::Kind::created) + report.count(UnitEvent::Kind::refined), 1U);
            ASSERT_EQ(created - removed, model.model_size().total());
            ASSERT_LE(model.model_size().total(), 7 * model.classes().size());
            ASSERT_NO_THROW(model.check());
        }
        EXPECT_GT(removed, 0U) << "otherwise the test shows nothing";
    }
}

TEST(Growth, EventsNameTheUnits) {
    Constellation model(ConstellationParams{}, {});
    std::map<Lineage, std::uint64_t> samples;
    for (const Sample& sample : random_stream(3, 400)) {
        for (const UnitEvent& event : model.learn(sample.network, sample.label).events) {
            EXPECT_FALSE(event.target);
            switch (event.kind) {
            case UnitEvent::Kind::created:
                EXPECT_TRUE(samples.insert({event.unit, 1}).second) << "a lineage was used twice";
                break;
            case UnitEvent::Kind::refined:
                EXPECT_EQ(samples.count(event.unit), 1U);
                ++samples[event.unit];
                break;
            case UnitEvent::Kind::removed:
                EXPECT_EQ(samples.erase(event.unit), 1U);
                break;
            default:
                ADD_FAILURE() << "unexpected event";
            }
        }
    }
    std::map<Lineage, std::uint64_t> listed;
    for (const UnitView& unit : model.units()) listed[unit.lineage] = unit.active;
    EXPECT_EQ(listed, samples);
}

TEST(Views, ShowWhatWasLearned) {
    Constellation model(ConstellationParams{}, {});
    for (int i = 0; i < 4; ++i) model.learn(row_of({2, 5}), "row");
    model.learn(network_of({{7, 1, 1, 4, 0.5}}), "dot");
    const std::vector<UnitView> units = model.units();
    ASSERT_EQ(units.size(), 2U);
    EXPECT_EQ(units[0].label, "row");
    EXPECT_EQ(units[0].active, 4U);
    EXPECT_EQ(units[0].inactive, 0U);
    EXPECT_EQ(units[0].born, 1U);
    EXPECT_EQ(units[0].own_nodes, 2U);
    EXPECT_FALSE(units[0].target);
    EXPECT_EQ(units[0].pattern.node_count(), 2U);
    EXPECT_EQ(units[0].pattern.type(1), 5U);
    EXPECT_EQ(units[0].pattern.coordinate(1, 0), 4);
    ASSERT_EQ(units[0].nodes.size(), 2U);
    EXPECT_DOUBLE_EQ(units[0].nodes[0].presence, 5 / 5.3);
    EXPECT_THAT(units[0].nodes[0].to_next, ElementsAre(4, 0));
    EXPECT_THAT(units[0].nodes[1].to_previous, ElementsAre(-4, 0));
    // Only the prior: 4 samples without any deviation.
    EXPECT_NEAR(units[0].nodes[0].spread[0], std::sqrt(8 * 2.25 / 12 * 1.25), 1e-12);
    EXPECT_EQ(units[1].label, "dot");
    EXPECT_NEAR(units[1].pattern.attribute(0, 0), 4, 1e-9);
    EXPECT_EQ(units[1].pattern.attribute(0, 1), 0.5);
    units[0].pattern.check();
}

TEST(Views, ModelSizeCountsUnits) {
    Constellation model(ConstellationParams{}, {});
    for (int i = 0; i < 4; ++i) model.learn(row_of({2, 5}), "row");
    model.learn(network_of({{7, 1, 1}}), "dot");
    model.add_class("none");
    const ModelSize all = model.model_size();
    EXPECT_EQ(all.positive, 2U);
    EXPECT_EQ(all.negative, 0U);
    EXPECT_EQ(all.singletons, 1U);
    EXPECT_EQ(all.nodes, 3U);
    const ModelSize mature = model.model_size(2);
    EXPECT_EQ(mature.total(), 1U);
    EXPECT_EQ(mature.singletons, 0U);
    EXPECT_EQ(mature.nodes, 2U);
    EXPECT_LT(mature.bytes, all.bytes);
    EXPECT_GT(mature.bytes, 2 * 2 * 8 * sizeof(double)) << "means and squares of two nodes of eight features";
    EXPECT_EQ(model.model_size(5).total(), 0U);
}

TEST(Unusual, NoClasses) {
    const Constellation model;
    EXPECT_THAT(model.classes(), IsEmpty());
    EXPECT_THAT(model.units(), IsEmpty());
    EXPECT_EQ(model.steps(), 0U);
    EXPECT_EQ(model.model_size().total(), 0U);
    EXPECT_NO_THROW(model.check());
    const std::unique_ptr<Reader> reader = model.reader();
    const Network network = FrontEnd(model.front_end())(Image(28, 28).view());
    const Prediction& prediction = reader->predict(network);
    EXPECT_FALSE(prediction.best.has_value());
    EXPECT_FALSE(prediction.fit.has_value());
    EXPECT_THAT(prediction.scores, IsEmpty());
    EXPECT_THAT(prediction.probabilities, IsEmpty());
    EXPECT_EQ(prediction.margin, 0);
    EXPECT_FALSE(reader->decide(network).best.has_value());
    EXPECT_THAT(reader->explain(network).contributions, IsEmpty());
}

TEST(Unusual, AnImageWithoutContours) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        Constellation model(constellation_preset(preset));
        FrontEnd front_end(model.front_end());
        const Network nothing = front_end(Image(28, 28).view());
        Image square(28, 28);
        for (int y = 8; y < 20; ++y)
            for (int x = 8; x < 20; ++x) square.at(x, y) = 255;
        const Network something = front_end(square.view());
        ASSERT_EQ(nothing.node_count(), 0U);
        ASSERT_GT(something.node_count(), 0U);
        for (int i = 0; i < 40; ++i) {
            model.learn(nothing, "empty");
            model.learn(something, "square");
            model.check();
        }
        EXPECT_EQ(model.model_size().total(), 2U) << preset;
        const std::unique_ptr<Reader> reader = model.reader();
        EXPECT_EQ(reader->predict(nothing).best, 0U);
        EXPECT_EQ(reader->decide(nothing).best, 0U);
        EXPECT_EQ(reader->predict(nothing).scores[0], 0);
        EXPECT_EQ(reader->predict(something).best, 1U);
        EXPECT_EQ(reader->explain(nothing).contributions.size(), 2U);
    }
}

TEST(Unusual, AClassWithoutSamples) {
    Constellation model(ConstellationParams{}, {});
    model.add_class("later");
    EXPECT_THAT(model.classes(), ElementsAre("later"));
    EXPECT_NO_THROW(model.check());
    EXPECT_EQ(model.reader()->predict(row_of({0, 1})).best, 0U);
    EXPECT_FALSE(model.reader()->predict(row_of({0, 1})).fit);
    for (int i = 0; i < 5; ++i) model.learn(row_of({0, 1, 2}), "now");
    const std::uint64_t before = model.digest();
    model.add_class("later");
    model.add_class("now");
    EXPECT_EQ(model.digest(), before);
    EXPECT_THAT(model.classes(), ElementsAre("later", "now"));
    expect_refused(model, ErrorKind::usage, "label", [&] { model.add_class(""); });
    const std::unique_ptr<Reader> reader = model.reader();
    EXPECT_EQ(reader->predict(row_of({0, 1, 2})).scores[0], 0) << "the score of clutter";
    EXPECT_EQ(reader->predict(row_of({0, 1, 2})).best, 1U);
    EXPECT_TRUE(reader->predict(row_of({0, 1, 2})).fit);
    EXPECT_EQ(reader->predict(row_of({5})).best, 0U) << "unlike any known class";
    EXPECT_EQ(reader->decide(row_of({5})).best, 0U);
    for (const Contribution& part : reader->explain(row_of({5})).contributions) EXPECT_EQ(part.label, 1U);
    model.learn(row_of({5, 6}), "later");
    EXPECT_EQ(model.units().size(), 2U);
}

TEST(Unusual, AnEmptyLabelIsRefused) {
    Constellation model(ConstellationParams{}, {});
    learn(model, random_stream(1, 20));
    const Network network = row_of({0});
    expect_refused(model, ErrorKind::usage, "label", [&] { model.learn(network, ""); });
    const std::vector<Constellation::Sample> samples = {{&network, "new"}, {&network, ""}};
    expect_refused(model, ErrorKind::usage, "label", [&] { model.learn_all(samples, 2); });
    const std::vector<Constellation::Sample> missing = {{&network, "new"}, {nullptr, "a"}};
    expect_refused(model, ErrorKind::usage, "without a network", [&] { model.learn_all(missing, 2); });
}

TEST(Unusual, ANetworkOfAnotherFrontEndIsRefused) {
    Constellation model(ConstellationParams{}, {});
    learn(model, random_stream(1, 20));
    const Network fine = row_of({0, 1});
    const Network other(front_end_schema({.directions = 4}));
    const char* message = "not made by the model's front end";
    expect_refused(model, ErrorKind::bad_input, message, [&] { model.learn(other, "a"); });
    expect_refused(model, ErrorKind::bad_input, message, [&] { model.learn(other, "new"); });
    const std::vector<Constellation::Sample> samples = {{&fine, "new"}, {&other, "a"}};
    expect_refused(model, ErrorKind::bad_input, message, [&] { model.learn_all(samples, 1); });
    const std::unique_ptr<Reader> reader = model.reader();
    expect_refused(model, ErrorKind::bad_input, message, [&] { reader->predict(other); });
    expect_refused(model, ErrorKind::bad_input, message, [&] { reader->decide(other); });
    expect_refused(model, ErrorKind::bad_input, message, [&] { (void)reader->explain(other); });
    // An equal schema of a different object is accepted.
    EXPECT_NO_THROW(model.learn(Network(front_end_schema({})), "a"));
}

TEST(Unusual, TheSameImageAThousandTimes) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        Constellation model(constellation_preset(preset));
        const Network network = test::mnist_stream(model.front_end(), 8)[7].network;
        for (int i = 0; i < 1000; ++i) {
            model.learn(network, "same");
            ASSERT_EQ(model.model_size().total(), 1U) << preset << " " << i;
            ASSERT_EQ(model.model_size().nodes, network.node_count()) << preset << " " << i;
        }
        model.check();
        EXPECT_EQ(model.units()[0].active, 1000U);
        EXPECT_TRUE(std::isfinite(model.reader()->predict(network).scores[0]));
    }
}

TEST(Unusual, EveryImageOfMnistJoinsItself) {
    for (const char* preset : {"default", "fast", "paper-vocabulary"}) {
        const ConstellationPreset chosen = constellation_preset(preset);
        for (const Sample& sample : test::mnist_stream(chosen.front_end, 100)) {
            Constellation model(chosen);
            model.learn(sample.network, "a");
            EXPECT_EQ(model.learn(sample.network, "a").count(UnitEvent::Kind::refined), 1U) << preset;
        }
    }
}

TEST(Unusual, TheSameNetworkUnderTwoLabels) {
    Constellation model(ConstellationParams{}, {});
    for (int i = 0; i < 200; ++i) model.learn(row_of({0, 1, 2}), i % 2 == 0 ? "one" : "other");
    model.check();
    const std::unique_ptr<Reader> reader = model.reader();
    const Prediction prediction = reader->predict(row_of({0, 1, 2}));
    EXPECT_EQ(prediction.scores[0], prediction.scores[1]);
    EXPECT_EQ(prediction.probabilities[0], 0.5);
    EXPECT_EQ(prediction.margin, 0);
    EXPECT_EQ(prediction.best, 0U);
    EXPECT_EQ(reader->decide(row_of({0, 1, 2})).best, 0U);
}

TEST(Unusual, VeryDistantNodesHaveFiniteScores) {
    Constellation model(ConstellationParams{}, {});
    learn(model, random_stream(1, 50));
    const std::unique_ptr<Reader> reader = model.reader();
    for (const double far : {1e3, 1e6, 1e12, 1e100}) {
        const Network network = network_of({{0, far, -far, far, far}, {1, -far, far}}, {{0, 1}});
        const Prediction prediction = reader->predict(network);
        for (const double score : prediction.scores) EXPECT_TRUE(std::isfinite(score)) << far;
        EXPECT_EQ(reader->decide(network).best, prediction.best) << far;
    }
}

/// Contributions must add up to the scores.
void expect_adds_up(const Constellation& model, Reader& reader, const Network& network) {
    const Prediction prediction = reader.predict(network);
    const Explanation explanation = reader.explain(network);
    EXPECT_EQ(explanation.prediction.scores, prediction.scores);
    std::map<Lineage, std::uint64_t> active;
    std::map<std::string, double> total;
    for (const UnitView& unit : model.units()) {
        active[unit.lineage] = unit.active;
        total[unit.label] += static_cast<double>(unit.active);
    }
    ASSERT_EQ(explanation.contributions.size(), active.size());
    std::vector<double> sums(reader.classes().size(), 0);
    std::vector<double> mixtures(reader.classes().size(), 0);
    for (const Contribution& part : explanation.contributions) {
        sums[part.label] += part.value;
        EXPECT_TRUE(part.present);
        ASSERT_EQ(part.node_values.size(), part.placed.size());
        double log_likelihood = 0;
        for (const double value : part.node_values) log_likelihood += value;
        const double share =
            static_cast<double>(active.at(part.unit)) / total.at(reader.classes()[part.label]);
        mixtures[part.label] += share * std::exp(log_likelihood);
    }
    EXPECT_EQ(sums, prediction.scores) << "exactly";
    for (std::size_t label = 0; label < sums.size(); ++label)
        EXPECT_NEAR(std::log(mixtures[label]), prediction.scores[label], 1e-8);
}

TEST(Explanations, AddUpToTheScore) {
    ConstellationParams params;
    params.join_threshold = 5; // several units per class
    for (const auto assignment :
         {ConstellationParams::Assignment::greedy, ConstellationParams::Assignment::optimal}) {
        params.assignment = assignment;
        Constellation model(params, {});
        learn(model, random_stream(4, 300));
        EXPECT_GT(model.model_size().total(), 10U);
        const std::unique_ptr<Reader> reader = model.reader();
        for (const Sample& sample : random_stream(5, 200)) expect_adds_up(model, *reader, sample.network);
    }
}

TEST(Explanations, ShowWhereNodesArePlaced) {
    Constellation model(ConstellationParams{}, {});
    const Network network = row_of({2, 0, 1});
    for (int i = 0; i < 3; ++i) model.learn(network, "row");
    const Explanation whole = model.reader()->explain(network);
    ASSERT_EQ(whole.contributions.size(), 1U);
    EXPECT_THAT(whole.contributions[0].placed, ElementsAre(1, 2, 0)) << "by type";
    EXPECT_THAT(whole.contributions[0].node_values, testing::Each(testing::Gt(0.0)));
    const Explanation part = model.reader()->explain(network_of({{0, 4, 5}, {5, 0, 5}}));
    EXPECT_THAT(part.contributions[0].placed, ElementsAre(0, no_node, no_node));
    EXPECT_NEAR(part.contributions[0].node_values[1], std::log(1 - (4 / 4.3)), 1e-9);
}

TEST(Readers, AreSnapshots) {
    Constellation model(ConstellationParams{}, {});
    const Stream stream = random_stream(6, 300);
    for (std::size_t i = 0; i < 100; ++i) model.learn(stream[i].network, stream[i].label);
    const std::unique_ptr<Reader> reader = model.reader();
    const std::vector<std::string> classes = reader->classes();
    std::vector<Prediction> before;
    for (std::size_t i = 200; i < 300; ++i) before.push_back(reader->predict(stream[i].network));
    for (std::size_t i = 100; i < 200; ++i) {
        model.learn(stream[i].network, stream[i].label);
        model.learn(stream[i].network, "new");
    }
    EXPECT_EQ(reader->classes(), classes);
    const std::unique_ptr<Reader> later = model.reader();
    std::size_t differ = 0;
    for (std::size_t i = 200; i < 300; ++i) {
        const Prediction& now = reader->predict(stream[i].network);
        EXPECT_EQ(now.scores, before[i - 200].scores);
        EXPECT_EQ(now.probabilities, before[i - 200].probabilities);
        EXPECT_EQ(now.fit, before[i - 200].fit);
        EXPECT_EQ(now.work, before[i - 200].work);
        differ += later->predict(stream[i].network).scores[0] != before[i - 200].scores[0] ? 1U : 0U;
    }
    EXPECT_GT(differ, 50U);
}

TEST(Readers, OutliveTheModelAndAnswerLikeTheirClones) {
    auto model = std::make_unique<Constellation>(ConstellationParams{}, FrontEndParams{});
    const Stream stream = random_stream(7, 150);
    learn(*model, stream);
    std::unique_ptr<Reader> reader = model->reader();
    reader->predict(stream[0].network);
    const std::unique_ptr<Reader> clone = reader->clone();
    model.reset();
    std::vector<Prediction> answers;
    for (const Sample& sample : stream) answers.push_back(reader->predict(sample.network));
    EXPECT_EQ(clone->classes(), reader->classes());
    reader.reset();
    for (std::size_t i = 0; i < stream.size(); ++i) {
        const Prediction& answer = clone->predict(stream[i].network);
        EXPECT_EQ(answer.scores, answers[i].scores);
        EXPECT_EQ(answer.best, answers[i].best);
        EXPECT_EQ(answer.work, answers[i].work);
    }
}

TEST(Readers, ChangeNothing) {
    Constellation model(ConstellationParams{}, {});
    Constellation unread(ConstellationParams{}, {});
    const Stream stream = random_stream(8, 200);
    learn(model, stream);
    learn(unread, stream);
    const std::uint64_t before = model.digest();
    const std::unique_ptr<Reader> reader = model.reader();
    for (std::size_t i = 0; i < 1000; ++i) {
        const Network& network = stream[i % 200].network;
        reader->predict(network);
        reader->decide(network);
        if (i % 10 == 0) (void)reader->explain(network);
    }
    (void)model.units();
    (void)model.model_size();
    EXPECT_EQ(model.digest(), before);
    // Later learning is not affected either.
    for (Constellation* one : {&model, &unread}) learn(*one, random_stream(9, 50));
    EXPECT_EQ(model.digest(), unread.digest());
}

TEST(Readers, DoNotDependOnEarlierNetworks) {
    Constellation model(ConstellationParams{}, {});
    const Stream stream = random_stream(10, 150);
    learn(model, stream);
    const std::unique_ptr<Reader> used = model.reader();
    for (const Sample& sample : stream) {
        EXPECT_EQ(used->predict(sample.network).scores, model.reader()->predict(sample.network).scores);
        EXPECT_EQ(used->decide(sample.network).work, model.reader()->decide(sample.network).work);
    }
}

TEST(Readers, TemperatureAffectsOnlyProbabilities) {
    const Stream stream = random_stream(11, 100);
    ConstellationParams warm;
    warm.temperature = 20;
    ConstellationParams cold;
    cold.temperature = 2;
    Constellation a(warm, {});
    Constellation b(cold, {});
    learn(a, stream);
    learn(b, stream);
    EXPECT_EQ(a.digest(), b.digest());
    const Prediction one = a.reader()->predict(stream[0].network);
    const Prediction other = b.reader()->predict(stream[0].network);
    EXPECT_EQ(one.scores, other.scores);
    EXPECT_LT(one.probabilities[*one.best], other.probabilities[*one.best]);
    EXPECT_NEAR(std::log(one.probabilities[0] / one.probabilities[1]), (one.scores[0] - one.scores[1]) / 20,
                1e-6);
}

} // namespace
} // namespace sprig
