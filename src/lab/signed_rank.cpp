#include "lab/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::lab {

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

/// Twice the rank of each number by its size without the sign: doubled, the mean rank of equals is whole.
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

/// In how many of all sign patterns the positive ranks sum up to at most `most`.
std::uint64_t patterns_up_to(std::size_t most, const std::vector<std::size_t>& ranks) {
    std::vector<std::uint64_t> patterns(most + 1); // by the sum of positive ranks, of those looked at so far
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
    if (differing.size() > most_signed_pairs) {
        throw usage_error(
            fmt::format("the exact signed-rank test is for at most {} pairs that differ, not {}",
                        most_signed_pairs, differing.size()));
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
