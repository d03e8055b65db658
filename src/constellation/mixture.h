#pragma once

#include <algorithm>
#include <vector>

#include "core/elementary.h"

namespace sprig::constellation {

/// The logarithm of the sum of exponentials. `values` must not be empty.
[[nodiscard]] inline double log_sum_exp(const std::vector<double>& values) {
    const double top = *std::max_element(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += elementary::exp(value - top);
    return top + elementary::log(sum);
}

} // namespace sprig::constellation
