#pragma once

#include <cstddef>
#include <span>

namespace sprig::lab {

/// What Wilcoxon's signed-rank test says of paired numbers, such as two learners' accuracies seed by seed.
struct SignedRank {
    std::size_t pairs = 0;       ///< that differ; the others are dropped
    std::size_t first_ahead = 0; ///< of them, those in which the first number is the greater one
    double statistic = 0;        ///< the smaller of the two sums of ranks
    double p = 1;                ///< two-sided, at most 1
};

/// Beyond this many pairs one would use the normal approximation; nobody runs so many seeds.
inline constexpr std::size_t most_signed_pairs = 25;

/// The exact test: equal differences share the mean of their ranks, and p is the share of all sign patterns
/// of just these ranks that are as extreme. Differences are rounded to multiples of 1e-9 before they are
/// compared, so that 0.93 - 0.92 and 0.18 - 0.17 are a tie, and numbers that differ by rounding alone are
/// equal. Throws Error(usage) if the two have not the same size, a number is not finite, or more than
/// `most_signed_pairs` pairs differ.
[[nodiscard]] SignedRank signed_rank_test(std::span<const double> first, std::span<const double> second);

} // namespace sprig::lab
