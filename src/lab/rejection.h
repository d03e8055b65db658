#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sprig::lab {

// How well a score tells what can be trusted from what cannot: the higher, the more it can.

/// The area under the ROC curve: how likely an `inside` scores above an `outside`, a tie counted half. Exact,
/// by counting. Throws Error(usage) if there is none of either or a score is not a number.
[[nodiscard]] double auroc(std::span<const double> inside, std::span<const double> outside);

/// The shares of answers that are looked at where nobody has a reason for others.
inline constexpr std::array<double, 8> usual_coverages = {1, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5};

/// The accuracy that is left if only the share `coverage` of the answers with the highest scores is given;
/// of equal scores the first ones are kept. One accuracy for each coverage, 1 where no answer is left. Throws
/// Error(usage) if there are not as many scores as answers, or none.
[[nodiscard]] std::vector<double> accuracy_over_coverage(std::span<const double> scores,
                                                         const std::vector<bool>& right,
                                                         std::span<const double> coverages);

} // namespace sprig::lab
