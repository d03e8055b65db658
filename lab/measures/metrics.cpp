#include "lab/measures/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

AccuracyMatrix::AccuracyMatrix(std::size_t cycles, std::size_t classes)
    : cycles_(cycles), classes_(classes), checkpoints_(cycles * classes) {
    if (cycles == 0 || classes == 0) throw usage_error("a stream has at least one cycle and one class");
}

void AccuracyMatrix::set(std::size_t cycle, std::size_t block, std::vector<double> by_class) {
    if (cycle >= cycles_ || block >= classes_ || by_class.size() != classes_)
        throw usage_error("an evaluation does not fit into the matrix of accuracies");
    checkpoints_[(cycle * classes_) + block] = std::move(by_class);
}

std::span<const double> AccuracyMatrix::at(std::size_t cycle, std::size_t block) const {
    if (cycle >= cycles_ || block >= classes_) return {};
    return checkpoints_[(cycle * classes_) + block];
}

bool AccuracyMatrix::is_complete() const {
    return std::none_of(checkpoints_.begin(), checkpoints_.end(), [](const auto& c) { return c.empty(); });
}

std::optional<double> mean(std::span<const double> numbers) {
    if (numbers.empty()) return std::nullopt;
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

std::optional<double> deviation(std::span<const double> numbers) {
    if (numbers.size() < 2) return std::nullopt;
    const double middle = *mean(numbers);
    double squares = 0;
    for (const double number : numbers) squares += (number - middle) * (number - middle);
    return std::sqrt(squares / static_cast<double>(numbers.size() - 1));
}

std::optional<double> accuracy(const AccuracyMatrix& a, std::size_t cycle, std::size_t block) {
    return mean(a.at(cycle, block));
}

std::optional<double> accuracy_at_end_of(const AccuracyMatrix& a, std::size_t cycle) {
    return mean(a.end_of(cycle));
}

std::optional<double> final_accuracy(const AccuracyMatrix& a) {
    return mean(a.last());
}

std::optional<double> early_accuracy(const AccuracyMatrix& a) {
    std::vector<double> ends;
    for (std::size_t cycle = 0; cycle < std::min(early_cycles, a.cycles()); ++cycle) {
        const std::optional<double> end = accuracy_at_end_of(a, cycle);
        if (!end) return std::nullopt;
        ends.push_back(*end);
    }
    return mean(ends);
}

namespace {

/// The lowest accuracy of a class in a cycle, from its own block to the end.
double lowest(const AccuracyMatrix& a, std::size_t cycle, std::size_t label) {
    double least = a.at(cycle, label)[label];
    for (std::size_t block = label; block < a.classes(); ++block)
        least = std::min(least, a.at(cycle, block)[label]);
    return least;
}

/// The highest accuracy of a class at any of the first checkpoints of a complete matrix.
double highest(const AccuracyMatrix& a, std::size_t label, std::size_t checkpoints) {
    double most = 0;
    for (std::size_t i = 0; i < checkpoints; ++i)
        most = std::max(most, a.at(i / a.classes(), i % a.classes())[label]);
    return most;
}

} // namespace

std::optional<WithinCycleRetention> within_cycle_retention(const AccuracyMatrix& a, std::size_t cycles,
                                                           double threshold) {
    if (!a.is_complete()) return std::nullopt;
    WithinCycleRetention sum;
    for (std::size_t cycle = 0; cycle < std::min(cycles, a.cycles()); ++cycle) {
        for (std::size_t label = 0; label < a.classes(); ++label) {
            const double learned = a.at(cycle, label)[label];
            if (learned <= threshold) continue;
            ++sum.pairs;
            sum.end += std::min(a.end_of(cycle)[label] / learned, 1.0);
            sum.worst += std::min(lowest(a, cycle, label) / learned, 1.0);
        }
    }
    if (sum.pairs == 0) return std::nullopt;
    const auto pairs = static_cast<double>(sum.pairs);
    return WithinCycleRetention{sum.end / pairs, sum.worst / pairs, sum.pairs};
}

std::optional<double> retention_loss(const AccuracyMatrix& a) {
    if (!a.is_complete()) return std::nullopt;
    std::vector<double> losses;
    for (std::size_t label = 0; label < a.classes(); ++label)
        losses.push_back(highest(a, label, a.cycles() * a.classes()) - a.last()[label]);
    return mean(losses);
}

std::optional<double> average_forgetting(const AccuracyMatrix& a) {
    if (!a.is_complete()) return std::nullopt;
    std::vector<double> losses;
    for (std::size_t label = 0; label + 1 < a.classes(); ++label)
        losses.push_back(highest(a, label, (a.cycles() * a.classes()) - 1) - a.last()[label]);
    return mean(losses);
}

std::optional<double> backward_transfer(const AccuracyMatrix& a) {
    if (!a.is_complete()) return std::nullopt;
    std::vector<double> gains;
    for (std::size_t label = 0; label + 1 < a.classes(); ++label)
        gains.push_back(a.last()[label] - a.at(0, label)[label]);
    return mean(gains);
}

std::optional<double> anytime_accuracy(const AccuracyMatrix& a) {
    if (!a.is_complete()) return std::nullopt;
    std::vector<double> means;
    for (std::size_t cycle = 0; cycle < a.cycles(); ++cycle) {
        for (std::size_t block = 0; block < a.classes(); ++block) {
            const std::size_t seen = cycle == 0 ? block + 1 : a.classes();
            means.push_back(*mean(a.at(cycle, block).first(seen)));
        }
    }
    return mean(means);
}

namespace {

/// Differences in steps of 1e-9, without those that are zero.
std::vector<double> differences(std::span<const double> first, std::span<const double> second) {
    constexpr double steps = 1e9;
    std::vector<double> result;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double difference = std::nearbyint((first[i] - second[i]) * steps);
        if (!std::isfinite(difference)) throw usage_error("only finite numbers can be compared in pairs");
        if (difference != 0) result.push_back(difference);
    }
    return result;
}

/// Twice the rank of each number by absolute value: the doubled mean rank of equals is an integer.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& numbers) {
    std::vector<double> sizes;
    sizes.reserve(numbers.size());
    for (const double number : numbers) sizes.push_back(std::abs(number));
    std::ranges::sort(sizes);
    std::vector<std::size_t> ranks;
    ranks.reserve(numbers.size());
    for (const double number : numbers) {
        const auto [begin, end] = std::equal_range(sizes.begin(), sizes.end(), std::abs(number));
        // The first of the equals has the rank `begin + 1`, the last one `end`.
        ranks.push_back(static_cast<std::size_t>((begin - sizes.begin()) + 1 + (end - sizes.begin())));
    }
    return ranks;
}

/// The number of sign patterns in which the sum of positive ranks is at most `most`.
std::uint64_t patterns_up_to(std::size_t most, const std::vector<std::size_t>& ranks) {
    std::vector<std::uint64_t> patterns(most + 1); // by the sum of positive ranks
    patterns[0] = 1;
    for (const std::size_t rank : ranks) {
        for (std::size_t sum = most; sum >= rank; --sum) patterns[sum] += patterns[sum - rank];
    }
    return std::accumulate(patterns.begin(), patterns.end(), std::uint64_t{0});
}

} // namespace

SignedRank signed_rank_test(std::span<const double> first, std::span<const double> second) {
    if (first.size() != second.size()) {
        throw usage_error(fmt::format("{} numbers cannot be paired with {}: there must be as many of each",
                                      first.size(), second.size()));
    }
    const std::vector<double> differing = differences(first, second);
    if (differing.size() > max_signed_pairs) {
        throw usage_error(
            fmt::format("the exact signed-rank test is for at most {} pairs that differ, not {}",
                        max_signed_pairs, differing.size()));
    }
    const std::vector<std::size_t> ranks = doubled_ranks(differing);
    SignedRank result;
    result.pairs = differing.size();
    std::size_t ahead = 0;
    std::size_t behind = 0;
    for (std::size_t i = 0; i < differing.size(); ++i) {
        (differing[i] > 0 ? ahead : behind) += ranks[i];
        if (differing[i] > 0) ++result.first_ahead;
    }
    const std::size_t smaller = std::min(ahead, behind);
    result.statistic = static_cast<double>(smaller) / 2;
    const auto extreme = static_cast<double>(patterns_up_to(smaller, ranks));
    result.p = std::min(1.0, 2 * std::ldexp(extreme, -static_cast<int>(differing.size())));
    return result;
}

} // namespace sprig::lab
