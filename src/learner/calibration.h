#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sprig/learner.h"

namespace sprig::learner {

/// The temperatures that scores may be divided by on their way to probabilities: 1/4 to 64, in steps of
/// the square root of 2. A grid is enough, and choosing from it takes no gradient.
inline constexpr std::size_t temperature_count = 17;
[[nodiscard]] double temperature(std::size_t index);

/// What one class knows of how far scores can be trusted: for each temperature, the recent log loss of the
/// samples of this class, each predicted before it was learned. It is the class's own; the classes' sums are
/// added only when somebody asks for probabilities.
struct Calibration {
    std::array<double, temperature_count> loss = {};

    /// Takes in the scores that a sample of the class `truth` got; old samples fade.
    void add(std::span<const double> scores, std::size_t truth);
};

/// The temperature with the least loss; 1 where nothing is known.
[[nodiscard]] double best_temperature(std::span<const Calibration* const> classes);

/// Fills in probabilities, best and margin from the scores.
void conclude(Prediction& prediction, double temperature);

} // namespace sprig::learner
