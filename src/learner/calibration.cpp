#include "learner/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary.h"
#include "core/quantise.h"

namespace sprig::learner {

namespace {

/// The decay per sample: the last fifty samples or so count.
constexpr double decay = 0.98;
constexpr std::size_t temperature_one = 4;

/// log of the sum of exp((score - top) / temperature): relative to the top score, to avoid overflow.
double log_sum(std::span<const double> scores, double top, double temperature) {
    double sum = 0;
    for (const double score : scores) sum += elementary::exp((score - top) / temperature);
    return elementary::log(sum);
}

} // namespace

double temperature(std::size_t index) {
    const double root = index % 2 == 0 ? 1 : std::numbers::sqrt2;
    return std::ldexp(root, static_cast<int>(index / 2) - static_cast<int>(temperature_one / 2));
}

void Calibration::add(std::span<const double> scores, std::size_t truth) {
    const double top = *std::max_element(scores.begin(), scores.end());
    for (std::size_t t = 0; t < temperature_count; ++t) {
        const double scale = temperature(t);
        const double surprise = log_sum(scores, top, scale) + ((top - scores[truth]) / scale);
        loss[t] = quantise((decay * loss[t]) + surprise);
    }
}

double best_temperature(std::span<const Calibration* const> classes) {
    std::array<double, temperature_count> total = {};
    for (const Calibration* one : classes) {
        for (std::size_t t = 0; t < temperature_count; ++t) total[t] += one->loss[t];
    }
    const auto least = std::min_element(total.begin(), total.end());
    if (*least == 0 && total.back() == 0) return 1;
    return temperature(static_cast<std::size_t>(least - total.begin()));
}

void complete_prediction(Prediction& prediction, double temperature) {
    const std::vector<double>& scores = prediction.scores;
    prediction.probabilities.assign(scores.size(), 0);
    prediction.best.reset();
    prediction.margin = 0;
    if (scores.empty()) return;
    const auto top = std::max_element(scores.begin(), scores.end());
    prediction.best = static_cast<std::size_t>(top - scores.begin());
    double next = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < scores.size(); ++k) {
        if (k != *prediction.best) next = std::max(next, scores[k]);
    }
    if (std::isfinite(next)) prediction.margin = *top - next;
    const double total = log_sum(scores, *top, temperature);
    for (std::size_t k = 0; k < scores.size(); ++k) {
        prediction.probabilities[k] = elementary::exp(((scores[k] - *top) / temperature) - total);
    }
}

} // namespace sprig::learner
