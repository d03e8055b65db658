#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sprig/assessment.h"
#include "sprig/learner.h"

namespace sprig {

// How far probabilities can be taken at their word.

/// What a learner said of one image whose class is known.
struct GradedAnswer {
    double confidence = 0;   ///< the probability of the class that it decided for
    double log_of_truth = 0; ///< the logarithm of the probability of the true one
    bool right = false;
    /// The squared differences between the probabilities and what they should have been, 1 for the true class
    /// and 0 for the others, in sum.
    double squared_error = 0;
};

/// The answer that a prediction gives, or would give had scores been divided by `times` the temperature: then
/// each probability is raised to the power of 1 / `times`, and all are scaled to add up to 1. One that is
/// too small to be told from 0 counts as the least number above 0. Throws Error(usage) if the truth is none
/// of its classes or `times` is not above 0.
[[nodiscard]] GradedAnswer graded_answer(const Prediction& prediction, std::size_t truth, double times = 1);

/// The default number of bins.
inline constexpr std::size_t usual_bins = 15;

/// So many bins of equal width from 0 to 1; what lies between two is in the upper one. Throws Error(usage)
/// without bins or answers, as all below do.
[[nodiscard]] std::vector<ConfidenceBin> reliability(std::span<const GradedAnswer> answers, std::size_t bins);

/// The mean difference between confidence and accuracy of the bins, each weighed by its images. 0: of the
/// answers given with a probability of p the share p is right.
[[nodiscard]] double expected_calibration_error(std::span<const GradedAnswer> answers, std::size_t bins);
/// The mean of minus the logarithm of the true class's probability, in nats.
[[nodiscard]] double log_loss(std::span<const GradedAnswer> answers);
/// The mean of the squared errors, from 0 to 2: the Brier score.
[[nodiscard]] double brier_score(std::span<const GradedAnswer> answers);
[[nodiscard]] double share_right(std::span<const GradedAnswer> answers);

// How well a score tells what can be trusted from what cannot: the higher, the more it can.

/// The area under the ROC curve: how likely an `inside` scores above an `outside`, a tie counted half. Exact,
/// by counting. Throws Error(usage) if there is none of either or a score is not a number.
[[nodiscard]] double auroc(std::span<const double> inside, std::span<const double> outside);

/// The default coverages.
inline constexpr std::array<double, 8> usual_coverages = {1, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5};

/// The accuracy that is left if only the share `coverage` of the answers with the highest scores is given;
/// of equal scores the first ones are kept. One accuracy for each coverage, 1 where no answer is left. Throws
/// Error(usage) if there are not as many scores as answers, or none.
[[nodiscard]] std::vector<double> accuracy_over_coverage(std::span<const double> scores,
                                                         const std::vector<bool>& right,
                                                         std::span<const double> coverages);

} // namespace sprig
