#include "model/reliability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/elementary.h"
#include "sprig/error.h"

namespace sprig {

namespace {

double log_of(double probability) {
    return elementary::log(std::max(probability, std::numeric_limits<double>::denorm_min()));
}

template <class Get>
double mean_of(std::span<const GradedAnswer> answers, Get get) {
    if (answers.empty()) throw usage_error("there are no answers");
    double sum = 0;
    for (const GradedAnswer& answer : answers) sum += get(answer);
    return sum / static_cast<double>(answers.size());
}

std::vector<double> sorted(std::span<const double> scores) {
    std::vector<double> result(scores.begin(), scores.end());
    if (result.empty()) throw usage_error("there are no scores");
    if (std::ranges::any_of(result, [](double score) { return std::isnan(score); }))
        throw usage_error("a score is not a number");
    std::ranges::sort(result);
    return result;
}

} // namespace

GradedAnswer graded_answer(const Prediction& prediction, std::size_t truth, double times) {
    const std::vector<double>& probabilities = prediction.probabilities;
    if (!prediction.best || truth >= probabilities.size())
        throw usage_error("the prediction has no probability for the true class");
    if (!(times > 0)) throw usage_error("the factor of the temperature must be positive");
    // Relative to the largest one, to avoid overflow.
    const double top = log_of(probabilities[*prediction.best]);
    const auto log_ratio = [&](double probability) { return (log_of(probability) - top) / times; };
    double sum = 0;
    for (const double probability : probabilities) sum += elementary::exp(log_ratio(probability));
    double squares = 0;
    for (std::size_t c = 0; c < probabilities.size(); ++c) {
        const double error = (elementary::exp(log_ratio(probabilities[c])) / sum) - (c == truth ? 1 : 0);
        squares += error * error;
    }
    return {.confidence = 1 / sum,
            .log_probability = log_ratio(probabilities[truth]) - elementary::log(sum),
            .right = *prediction.best == truth,
            .squared_error = squares};
}

std::vector<ConfidenceBin> reliability(std::span<const GradedAnswer> answers, std::size_t bins) {
    if (answers.empty() || bins == 0) throw usage_error("there are no answers or no bins");
    const auto count = static_cast<double>(bins);
    std::vector<ConfidenceBin> result(bins);
    for (std::size_t b = 0; b < bins; ++b) {
        result[b].from = static_cast<double>(b) / count;
        result[b].to = static_cast<double>(b + 1) / count;
    }
    for (const GradedAnswer& answer : answers) {
        const auto at = static_cast<std::size_t>(answer.confidence * count);
        ConfidenceBin& bin = result[std::min(bins - 1, at)];
        ++bin.images;
        bin.confidence += answer.confidence;
        bin.accuracy += answer.right ? 1 : 0;
    }
    for (ConfidenceBin& bin : result) {
        if (bin.images == 0) continue;
        bin.confidence /= static_cast<double>(bin.images);
        bin.accuracy /= static_cast<double>(bin.images);
    }
    return result;
}

double expected_calibration_error(std::span<const GradedAnswer> answers, std::size_t bins) {
    double sum = 0;
    for (const ConfidenceBin& bin : reliability(answers, bins))
        sum += static_cast<double>(bin.images) * std::abs(bin.confidence - bin.accuracy);
    return sum / static_cast<double>(answers.size());
}

double log_loss(std::span<const GradedAnswer> answers) {
    return mean_of(answers, [](const GradedAnswer& answer) { return -answer.log_probability; });
}

double brier_score(std::span<const GradedAnswer> answers) {
    return mean_of(answers, [](const GradedAnswer& answer) { return answer.squared_error; });
}

double answer_accuracy(std::span<const GradedAnswer> answers) {
    return mean_of(answers, [](const GradedAnswer& answer) { return answer.right ? 1.0 : 0.0; });
}

double auroc(std::span<const double> inside, std::span<const double> outside) {
    const std::vector<double> in = sorted(inside);
    const std::vector<double> out = sorted(outside);
    // Twice the number of correctly ordered pairs. Both positions only increase.
    std::uint64_t halves = 0;
    std::size_t below = 0;
    std::size_t not_above = 0;
    for (const double score : in) {
        while (below < out.size() && out[below] < score) ++below;
        while (not_above < out.size() && out[not_above] <= score) ++not_above;
        halves += below + not_above;
    }
    return static_cast<double>(halves) / 2 / static_cast<double>(in.size()) / static_cast<double>(out.size());
}

std::vector<double> accuracy_over_coverage(std::span<const double> scores, const std::vector<bool>& right,
                                           std::span<const double> coverages) {
    if (scores.empty() || scores.size() != right.size())
        throw usage_error("there must be one score for each answer, and at least one answer");
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    std::vector<std::size_t> right_of_first = {0};
    for (const std::size_t i : order) right_of_first.push_back(right_of_first.back() + (right[i] ? 1U : 0U));
    std::vector<double> result;
    for (const double coverage : coverages) {
        const auto given = static_cast<std::size_t>(
            std::llround(std::clamp(coverage, 0.0, 1.0) * static_cast<double>(scores.size())));
        result.push_back(
            given == 0 ? 1 : static_cast<double>(right_of_first[given]) / static_cast<double>(given));
    }
    return result;
}

} // namespace sprig
