#pragma once

#include <cstdint>

#include "vision/binary_image.h"

namespace sprig {

/// Moments of the ink of a binary image, in px.
struct InkMoments {
    double x = 0; ///< centre of mass
    double y = 0;
    double radius = 0; ///< root mean square distance from the centre; 0 if there is no ink
    /// Cosine and sine of twice the angle between x and the principal axis, times the anisotropy of the ink.
    double doubled_cosine = 0;
    double doubled_sine = 0;
};

/// Sums over pixels of ink. An image has at most 2^14 px a side, so all of them stay far below 2^63.
struct InkSums {
    std::int64_t count = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t xx = 0;
    std::int64_t xy = 0;
    std::int64_t yy = 0;

    /// Adds the pixels of row `y` from `begin` to `end`, exclusive.
    void add_run(std::int64_t y, std::int64_t begin, std::int64_t end);
    [[nodiscard]] InkMoments moments() const;
};

/// All sums are integers, so the result is exact up to the last division and
/// the same on every machine.
[[nodiscard]] InkMoments measure_ink(const BinaryImage& image);

} // namespace sprig
