#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sprig/learner.h"

namespace sprig::lab {

// How far probabilities can be taken at their word.

/// What a learner said of one image whose class is known.
struct Answer {
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
[[nodiscard]] Answer answer_of(const Prediction& prediction, std::size_t truth, double times = 1);

/// Answers of like confidence.
struct ConfidenceBin {
    double from = 0;
    double to = 1;
    std::size_t images = 0;
    double confidence = 0; ///< the mean over its images; 0 without any
    double accuracy = 0;   ///< likewise
};

/// How many bins there are where nobody has a reason for another number.
inline constexpr std::size_t usual_bins = 15;

/// So many bins of equal width from 0 to 1; what lies between two is in the upper one. Throws Error(usage)
/// without bins or answers, as all below do.
[[nodiscard]] std::vector<ConfidenceBin> reliability(std::span<const Answer> answers, std::size_t bins);

/// The mean difference between confidence and accuracy of the bins, each weighed by its images. 0: of the
/// answers given with a probability of p the share p is right.
[[nodiscard]] double expected_calibration_error(std::span<const Answer> answers, std::size_t bins);
/// The mean of minus the logarithm of the true class's probability, in nats.
[[nodiscard]] double log_loss(std::span<const Answer> answers);
/// The mean of the squared errors, from 0 to 2: the Brier score.
[[nodiscard]] double brier_score(std::span<const Answer> answers);
[[nodiscard]] double share_right(std::span<const Answer> answers);

} // namespace sprig::lab
