#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "core/elementary.h"

namespace sprig::constellation {

/// The logarithm of the sum of exponentials. `values` must not be empty. Most mixtures have one value that
/// counts: exp(0) is exactly 1, log(1) and exp(-infinity) are exactly 0, and need not be computed.
[[nodiscard]] inline double log_sum_exp(const std::vector<double>& values) {
    const double top = *std::max_element(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) {
        if (value == top)
            sum += 1;
        else if (value != -std::numeric_limits<double>::infinity())
            sum += elementary::exp(value - top);
    }
    return sum == 1 ? top : top + elementary::log(sum);
}

} // namespace sprig::constellation
