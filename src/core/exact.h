#pragma once

#include <cmath>

namespace sprig::random {

/// The nearest multiple of 2^-32. Sums of such numbers are exact up to 2^20, so they are the same in every
/// order, and a score is exactly the sum of its parts.
[[nodiscard]] inline double exact(double value) {
    return std::nearbyint(value * 0x1p32) * 0x1p-32;
}

} // namespace sprig::random
