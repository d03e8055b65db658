#include "lab/rejection.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

std::vector<double> sorted(std::span<const double> scores) {
    std::vector<double> result(scores.begin(), scores.end());
    if (result.empty()) throw usage_error("there are no scores to compare");
    if (std::ranges::any_of(result, [](double score) { return std::isnan(score); }))
        throw usage_error("a score that is not a number cannot be compared");
    std::ranges::sort(result);
    return result;
}

} // namespace

double auroc(std::span<const double> inside, std::span<const double> outside) {
    const std::vector<double> in = sorted(inside);
    const std::vector<double> out = sorted(outside);
    // Twice the number of pairs that are the right way round; both ends only move up.
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
        throw usage_error("each answer needs one score, and there must be one at least");
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

} // namespace sprig::lab
