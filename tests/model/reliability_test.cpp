#include "model/reliability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "learner/calibration.h"
#include "sprig/error.h"

namespace sprig {
namespace {

Prediction predicted(std::vector<double> probabilities) {
    Prediction prediction;
    prediction.best =
        static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
    prediction.probabilities = std::move(probabilities);
    return prediction;
}

TEST(GradedAnswers, AreOfThePrediction) {
    const GradedAnswer right = graded_answer(predicted({0.2, 0.7, 0.1}), 1);
    EXPECT_DOUBLE_EQ(right.confidence, 0.7);
    EXPECT_DOUBLE_EQ(right.log_probability, std::log(0.7));
    EXPECT_TRUE(right.right);
    const GradedAnswer wrong = graded_answer(predicted({0.2, 0.7, 0.1}), 2);
    EXPECT_DOUBLE_EQ(wrong.confidence, 0.7);
    EXPECT_DOUBLE_EQ(wrong.log_probability, std::log(0.1));
    EXPECT_FALSE(wrong.right);
}

TEST(GradedAnswers, HaveASquaredErrorOverAllClasses) {
    EXPECT_NEAR(graded_answer(predicted({0.2, 0.7, 0.1}), 1).squared_error, 0.04 + 0.09 + 0.01, 1e-15);
    EXPECT_NEAR(graded_answer(predicted({0.2, 0.7, 0.1}), 2).squared_error, 0.04 + 0.49 + 0.81, 1e-15);
    EXPECT_NEAR(graded_answer(predicted({0.8, 0.2}), 0, 2).squared_error, 2.0 / 9, 1e-15) << "2 to 1";
    EXPECT_NEAR(graded_answer(predicted({1, 0}), 1).squared_error, 2, 1e-15) << "the maximum";
}

TEST(GradedAnswers, AtAnotherTemperature) {
    // Twice the temperature takes square roots: .8 and .2 become 2 to 1. Half of it squares: 16 to 1.
    EXPECT_DOUBLE_EQ(graded_answer(predicted({0.8, 0.2}), 0, 2).confidence, 2.0 / 3);
    EXPECT_DOUBLE_EQ(graded_answer(predicted({0.8, 0.2}), 1, 2).log_probability, std::log(1.0 / 3));
    EXPECT_DOUBLE_EQ(graded_answer(predicted({0.8, 0.2}), 1, 0.5).log_probability, std::log(1.0 / 17));
}

TEST(GradedAnswers, EqualThoseOfALearnerWithThatTemperature) {
    Prediction own;
    own.scores = {3, -20, 11, 8.5};
    Prediction other = own;
    learner::complete_prediction(own, 8);
    learner::complete_prediction(other, 8 * 1.4);
    for (std::size_t truth = 0; truth < own.scores.size(); ++truth) {
        const GradedAnswer answer = graded_answer(own, truth, 1.4);
        EXPECT_DOUBLE_EQ(answer.confidence, other.probabilities[2]);
        EXPECT_NEAR(answer.log_probability, std::log(other.probabilities[truth]), 1e-12);
    }
}

TEST(GradedAnswers, AProbabilityOfZeroHasAFiniteLoss) {
    const GradedAnswer answer = graded_answer(predicted({1, 0}), 1);
    EXPECT_DOUBLE_EQ(answer.log_probability, std::log(std::numeric_limits<double>::denorm_min()));
}

TEST(GradedAnswers, NeedATruthAndATemperature) {
    EXPECT_THROW((void)graded_answer(Prediction{}, 0), Error);
    EXPECT_THROW((void)graded_answer(predicted({1}), 1), Error);
    EXPECT_THROW((void)graded_answer(predicted({1}), 0, 0), Error);
    EXPECT_THROW((void)graded_answer(predicted({1}), 0, std::nan("")), Error);
}

/// Two answers at .6, one of them right, and two at .9 and 1, both right.
std::vector<GradedAnswer> four_answers() {
    return {{0.6, std::log(0.6), true, 0.24},
            {0.6, std::log(0.25), false, 0.96},
            {0.9, std::log(0.9), true, 0.02},
            {1, std::log(1.0), true, 0}};
}

TEST(Reliability, BinsByConfidence) {
    const std::vector<ConfidenceBin> bins = reliability(four_answers(), 4);
    ASSERT_EQ(bins.size(), 4U);
    EXPECT_EQ(bins[1].images, 0U);
    EXPECT_EQ(bins[1].confidence, 0);
    EXPECT_EQ(bins[2].from, 0.5);
    EXPECT_EQ(bins[2].to, 0.75);
    EXPECT_EQ(bins[2].images, 2U);
    EXPECT_DOUBLE_EQ(bins[2].confidence, 0.6);
    EXPECT_DOUBLE_EQ(bins[2].accuracy, 0.5);
    EXPECT_EQ(bins[3].images, 2U) << "1 belongs to the last bin";
    EXPECT_DOUBLE_EQ(bins[3].confidence, 0.95);
    EXPECT_DOUBLE_EQ(bins[3].accuracy, 1);
    EXPECT_EQ(reliability(std::vector<GradedAnswer>{{0.5, 0, true}}, 2)[1].images, 1U)
        << "boundary: upper bin";
}

TEST(Reliability, Measures) {
    const std::vector<GradedAnswer> answers = four_answers();
    EXPECT_DOUBLE_EQ(answer_accuracy(answers), 0.75);
    EXPECT_DOUBLE_EQ(log_loss(answers), -(std::log(0.6) + std::log(0.25) + std::log(0.9)) / 4);
    EXPECT_NEAR(brier_score(answers), (0.24 + 0.96 + 0.02) / 4, 1e-15);
    EXPECT_NEAR(expected_calibration_error(answers, 4), ((2 * 0.1) + (2 * 0.05)) / 4, 1e-15);
    // In one bin the two errors have opposite signs: .775 on average, .75 right.
    EXPECT_NEAR(expected_calibration_error(answers, 1), 0.025, 1e-15);
}

TEST(Reliability, CalibratedAnswersHaveNoError) {
    std::vector<GradedAnswer> answers(10, {0.7, std::log(0.7), true});
    for (std::size_t i = 0; i < 3; ++i) answers[i].right = false;
    EXPECT_NEAR(expected_calibration_error(answers, 15), 0, 1e-15);
}

TEST(Reliability, NeedsAnswersAndBins) {
    EXPECT_THROW((void)reliability({}, 15), Error);
    EXPECT_THROW((void)reliability(four_answers(), 0), Error);
    EXPECT_THROW((void)expected_calibration_error({}, 15), Error);
    EXPECT_THROW((void)log_loss({}), Error);
    EXPECT_THROW((void)answer_accuracy({}), Error);
    EXPECT_THROW((void)brier_score({}), Error);
}

} // namespace
} // namespace sprig
