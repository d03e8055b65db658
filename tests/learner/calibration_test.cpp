#include "learner/calibration.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gmock/gmock.h>

namespace sprig::learner {
namespace {

using testing::Each;
using testing::Ge;

Prediction predicted(std::vector<double> scores, double temperature) {
    Prediction prediction;
    prediction.scores = std::move(scores);
    complete_prediction(prediction, temperature);
    return prediction;
}

double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(CompletePrediction, ProbabilitiesSumToOne) {
    std::mt19937_64 random(1); // NOLINT: the same numbers every time
    std::normal_distribution<double> score(0, 30);
    for (std::size_t t = 0; t < temperature_count; ++t) {
        std::vector<double> scores(10);
        for (double& one : scores) one = score(random);
        const Prediction prediction = predicted(scores, temperature(t));
        EXPECT_NEAR(sum(prediction.probabilities), 1, 1e-12);
        EXPECT_THAT(prediction.probabilities, Each(Ge(0)));
    }
}

TEST(CompletePrediction, BestMarginAndProbabilities) {
    const Prediction prediction = predicted({1, 4, 2}, 2);
    EXPECT_EQ(prediction.best, 1U);
    EXPECT_EQ(prediction.margin, 2);
    EXPECT_NEAR(prediction.probabilities[1] / prediction.probabilities[0], std::exp(1.5), 1e-12);
    EXPECT_NEAR(prediction.probabilities[1] / prediction.probabilities[2], std::exp(1.0), 1e-12);
}

TEST(CompletePrediction, OfEqualScoresTheFirstIsBest) {
    const Prediction prediction = predicted({0, 3, 3}, 1);
    EXPECT_EQ(prediction.best, 1U);
    EXPECT_EQ(prediction.margin, 0);
    EXPECT_EQ(prediction.probabilities[1], prediction.probabilities[2]);
}

TEST(CompletePrediction, OneClassOrNone) {
    const Prediction one = predicted({-7}, 1);
    EXPECT_EQ(one.best, 0U);
    EXPECT_EQ(one.margin, 0);
    EXPECT_EQ(one.probabilities, std::vector<double>{1});
    const Prediction none = predicted({}, 1);
    EXPECT_FALSE(none.best.has_value());
    EXPECT_TRUE(none.probabilities.empty());
    EXPECT_EQ(none.margin, 0);
}

TEST(CompletePrediction, HugeScoresDoNotOverflow) {
    const double huge = std::numeric_limits<double>::max() / 4;
    for (const double scale : {0.25, 1.0, 64.0}) {
        const Prediction apart = predicted({huge, -huge, 0}, scale);
        EXPECT_EQ(apart.probabilities, (std::vector<double>{1, 0, 0}));
        const Prediction alike = predicted({-huge, -huge}, scale);
        EXPECT_EQ(alike.probabilities, (std::vector<double>{0.5, 0.5}));
    }
    // A difference that is small relative to the scores still counts.
    const Prediction near = predicted({1e6, 1e6 + 1}, 1);
    EXPECT_NEAR(near.probabilities[1], 1 / (1 + std::exp(-1.0)), 1e-9);
}

TEST(Temperature, IsAGridAroundOne) {
    EXPECT_EQ(temperature(0), 0.25);
    EXPECT_EQ(temperature(4), 1);
    EXPECT_NEAR(temperature(5), std::sqrt(2.0), 1e-15);
    EXPECT_EQ(temperature(temperature_count - 1), 64);
}

TEST(Temperature, IsOneWithoutSamples) {
    EXPECT_EQ(best_temperature({}), 1);
    const Calibration empty;
    const std::vector<const Calibration*> classes = {&empty, &empty};
    EXPECT_EQ(best_temperature(classes), 1);
}

TEST(Temperature, IsOneWithASingleClass) {
    Calibration calibration;
    calibration.add(std::vector<double>{12}, 0);
    const std::vector<const Calibration*> classes = {&calibration};
    EXPECT_EQ(best_temperature(classes), 1);
}

/// Calibrations from samples whose class is drawn from the softmax of their scores at the temperature
/// `truth`.
std::vector<Calibration> learn_source(double truth, int samples, std::mt19937_64& random) {
    constexpr std::size_t classes = 4;
    std::vector<Calibration> calibrations(classes);
    std::normal_distribution<double> score(0, 2);
    for (int i = 0; i < samples; ++i) {
        std::vector<double> scores(classes);
        for (double& one : scores) one = truth * score(random);
        const Prediction prediction = predicted(scores, truth);
        std::discrete_distribution<std::size_t> draw(prediction.probabilities.begin(),
                                                     prediction.probabilities.end());
        const std::size_t label = draw(random);
        calibrations[label].add(scores, label);
    }
    return calibrations;
}

TEST(Temperature, IsFoundForACalibratedSource) {
    std::mt19937_64 random(3); // NOLINT: the same numbers every time
    for (const double truth : {0.5, 1.0, 4.0, 16.0}) {
        const std::vector<Calibration> learned = learn_source(truth, 1000, random);
        std::vector<const Calibration*> classes;
        for (const Calibration& one : learned) classes.push_back(&one);
        // About two hundred samples count, which is enough for a factor of two.
        EXPECT_GE(best_temperature(classes), truth / 2) << truth;
        EXPECT_LE(best_temperature(classes), truth * 2) << truth;
    }
}

TEST(Temperature, OldSamplesDecay) {
    Calibration calibration;
    const std::vector<double> scores = {0, 8};
    for (int i = 0; i < 500; ++i) calibration.add(scores, 0); // confident and wrong
    const std::vector<const Calibration*> classes = {&calibration};
    EXPECT_EQ(best_temperature(classes), 64);
    for (int i = 0; i < 2000; ++i) calibration.add(scores, 1); // confident and right
    EXPECT_EQ(best_temperature(classes), 0.25);
}

TEST(Calibration, HugeScoresLeaveItFinite) {
    Calibration calibration;
    const double huge = std::numeric_limits<double>::max() / 4;
    calibration.add(std::vector<double>{huge, -huge}, 0);
    calibration.add(std::vector<double>{-huge, -huge}, 1);
    calibration.add(std::vector<double>{1e6, -1e6}, 1);
    for (const double loss : calibration.loss) EXPECT_TRUE(std::isfinite(loss));
}

} // namespace
} // namespace sprig::learner
