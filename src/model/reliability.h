#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sprig/assessment.h"
#include "sprig/learner.h"

namespace sprig {

// Measures of the quality of probabilities.

/// The answer for one labelled image.
struct GradedAnswer {
    double confidence = 0;      ///< the probability of the predicted class
    double log_probability = 0; ///< of the true class
    bool right = false;
    /// The sum over all classes of the squared difference between the probability and 1 for the true class, 0
    /// for the others.
    double squared_error = 0;
};

/// Grades a prediction with its temperature multiplied by `times`: each probability is raised to the power of
/// 1 / `times`, and all are scaled to a sum of 1. A probability of 0 counts as the smallest positive number.
/// Throws Error(usage) if `truth` is not one of the classes or `times` is not positive.
[[nodiscard]] GradedAnswer graded_answer(const Prediction& prediction, std::size_t truth, double times = 1);

/// The default number of bins.
inline constexpr std::size_t default_bins = 15;

/// Bins of equal width from 0 to 1; a value on a boundary is in the upper bin. Throws Error(usage) if there
/// are no bins or no answers, as all functions below do.
[[nodiscard]] std::vector<ConfidenceBin> reliability(std::span<const GradedAnswer> answers, std::size_t bins);

/// The mean absolute difference between confidence and accuracy over the bins, weighted by their number of
/// images.
[[nodiscard]] double expected_calibration_error(std::span<const GradedAnswer> answers, std::size_t bins);
/// The mean negative log-probability of the true class, in nats.
[[nodiscard]] double log_loss(std::span<const GradedAnswer> answers);
/// The mean squared error, from 0 to 2.
[[nodiscard]] double brier_score(std::span<const GradedAnswer> answers);
[[nodiscard]] double answer_accuracy(std::span<const GradedAnswer> answers);

// Measures of how well a confidence score separates good answers from bad ones. A higher score is more
// confident.

/// The area under the ROC curve: the probability that a score of `inside` is above one of `outside`; ties
/// count half. Exact. Throws Error(usage) if either is empty or a score is NaN.
[[nodiscard]] double auroc(std::span<const double> inside, std::span<const double> outside);

/// The default coverages.
inline constexpr std::array<double, 8> default_coverages = {1, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5};

/// For each coverage, the accuracy on this fraction of the answers, those with the highest scores; of equal
/// scores the first ones are used. 1 if no answer is left. Throws Error(usage) if the numbers of scores and
/// answers differ, or there are none.
[[nodiscard]] std::vector<double> accuracy_over_coverage(std::span<const double> scores,
                                                         const std::vector<bool>& right,
                                                         std::span<const double> coverages);

} // namespace sprig
