#pragma once

#include <cmath>

namespace sprig {

/// Rounds to the nearest multiple of 2^-32. Sums of such numbers are exact up to 2^20, so they do not depend
/// on the order of addition, and a score is exactly the sum of its parts.
[[nodiscard]] inline double quantise(double value) {
    return std::nearbyint(value * 0x1p32) * 0x1p-32;
}

} // namespace sprig
