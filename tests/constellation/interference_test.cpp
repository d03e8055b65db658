// Learning one class does not change another, so the order of classes has no effect.

#include <map>

#include <gmock/gmock.h>

#include "support.h"

namespace sprig {
namespace {

using test::Sample;
using test::Stream;

/// Networks of MNIST with the default front end: 600 to learn, 300 to predict.
const Stream& mnist() {
    static const Stream stream = test::mnist_stream(constellation_preset("default").front_end, 900);
    return stream;
}
Stream to_learn() {
    return {mnist().begin(), mnist().begin() + 600};
}
Stream to_predict() {
    return {mnist().begin() + 600, mnist().end()};
}

/// The scores of all images, by label.
using Scores = std::map<std::string, std::vector<double>>;

Scores scores_of(Reader& reader, const Stream& stream) {
    Scores scores;
    for (const Sample& sample : stream) {
        const Prediction& prediction = reader.predict(sample.network);
        for (std::size_t label = 0; label < reader.classes().size(); ++label)
            scores[reader.classes()[label]].push_back(prediction.scores[label]);
    }
    return scores;
}

/// Limits small enough that units are removed.
ConstellationParams many_units() {
    ConstellationParams params = constellation_preset("default").params;
    params.join_threshold = 5;
    params.max_units = 12;
    params.patience = 20;
    return params;
}

TEST(Interference, OtherClassesDoNotChangeScores) {
    const FrontEndParams front_end = constellation_preset("default").front_end;
    for (const ConstellationParams& params : {constellation_preset("default").params, many_units()}) {
        for (const std::string own : {"3", "8"}) {
            Constellation model(params, front_end);
            for (const Sample& sample : to_learn())
                if (sample.label == own) model.learn(sample.network, own);
            const std::vector<double> before = scores_of(*model.reader(), to_predict()).at(own);
            ASSERT_EQ(before.size(), 300U);
            for (const Sample& sample : to_learn())
                if (sample.label != own) model.learn(sample.network, sample.label);
            EXPECT_EQ(model.classes().size(), 10U);
            EXPECT_EQ(scores_of(*model.reader(), to_predict()).at(own), before);
            // Not even if another class learns the same images.
            for (const Sample& sample : to_learn())
                if (sample.label == own) model.learn(sample.network, "other");
            EXPECT_EQ(scores_of(*model.reader(), to_predict()).at(own), before);
        }
    }
}

/// The same samples in different orders of classes; the order within each class is kept.
std::vector<Stream> orders() {
    std::vector<Stream> result = {to_learn()};
    std::map<std::string, Stream> by_class;
    for (const Sample& sample : to_learn()) by_class[sample.label].push_back(sample);
    Stream& blocks = result.emplace_back();
    for (const auto& [label, samples] : by_class) blocks.insert(blocks.end(), samples.begin(), samples.end());
    Stream& backwards = result.emplace_back();
    for (auto one = by_class.rbegin(); one != by_class.rend(); ++one)
        backwards.insert(backwards.end(), one->second.begin(), one->second.end());
    Stream& in_turn = result.emplace_back();
    for (std::size_t i = 0; in_turn.size() < to_learn().size(); ++i)
        for (const auto& [label, samples] : by_class)
            if (i < samples.size()) in_turn.push_back(samples[i]);
    return result;
}

TEST(Interference, TheOrderOfClassesDoesNotMatter) {
    const FrontEndParams front_end = constellation_preset("default").front_end;
    for (const ConstellationParams& params : {constellation_preset("default").params, many_units()}) {
        std::vector<std::uint64_t> digests;
        std::vector<Scores> scores;
        for (const Stream& stream : orders()) {
            ASSERT_EQ(stream.size(), 600U);
            Constellation model(params, front_end);
            learn(model, stream);
            model.check();
            digests.push_back(model.digest());
            scores.push_back(scores_of(*model.reader(), to_predict()));
        }
        EXPECT_THAT(digests, testing::Each(digests.front()));
        for (const Scores& other : scores) EXPECT_TRUE(other == scores.front());
    }
}

TEST(Interference, TheOrderWithinAClassMatters) {
    Constellation forwards;
    Constellation backwards;
    Stream stream = to_learn();
    learn(forwards, stream);
    std::reverse(stream.begin(), stream.end());
    learn(backwards, stream);
    EXPECT_NE(forwards.digest(), backwards.digest()) << "otherwise the digest shows nothing";
}

TEST(Interference, ThreadsGiveTheSameResult) {
    const FrontEndParams front_end = constellation_preset("default").front_end;
    const Stream stream = to_learn();
    std::vector<Constellation::Sample> samples;
    for (const Sample& sample : stream) samples.push_back({&sample.network, sample.label});
    for (const ConstellationParams& params : {constellation_preset("default").params, many_units()}) {
        Constellation one_by_one(params, front_end);
        learn(one_by_one, stream);
        const Scores expected = scores_of(*one_by_one.reader(), to_predict());
        for (const std::size_t threads : {0U, 1U, 2U, 3U, 16U}) {
            Constellation model(params, front_end);
            // In two parts: the second continues from the first.
            model.learn_all(std::span(samples).first(250), threads);
            model.learn_all(std::span(samples).subspan(250), threads);
            model.learn_all({}, threads);
            model.check();
            EXPECT_EQ(model.digest(), one_by_one.digest()) << threads;
            EXPECT_EQ(model.classes(), one_by_one.classes());
            EXPECT_EQ(model.steps(), 600U);
            if (threads == 3) {
                EXPECT_TRUE(scores_of(*model.reader(), to_predict()) == expected);
            }
        }
    }
}

TEST(Interference, ACloneGivesTheSameScores) {
    Constellation model;
    learn(model, to_learn());
    const std::unique_ptr<Reader> reader = model.reader();
    const std::unique_ptr<Reader> clone = reader->clone();
    EXPECT_TRUE(scores_of(*clone, to_predict()) == scores_of(*reader, to_predict()));
}

} // namespace
} // namespace sprig
