#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sprig/learner.h"

namespace sprig::learner {

/// The temperatures that scores can be divided by before the softmax: 1/4 to 64, in steps of the square root
/// of 2. A grid is precise enough, and choosing from it needs no gradient.
inline constexpr std::size_t temperature_count = 17;
[[nodiscard]] double temperature(std::size_t index);

/// The calibration of one class: for each temperature, the recent prequential log loss of its samples. The
/// classes are added up when probabilities are computed.
struct Calibration {
    std::array<double, temperature_count> loss = {};

    /// Adds the scores of a sample of class `truth`; the weight of older samples decays.
    void add(std::span<const double> scores, std::size_t truth);
};

/// The temperature with the lowest loss; 1 if there is no sample.
[[nodiscard]] double best_temperature(std::span<const Calibration* const> classes);

/// Computes probabilities, best and margin from the scores.
void complete_prediction(Prediction& prediction, double temperature);

} // namespace sprig::learner
