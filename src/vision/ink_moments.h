#pragma once

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

/// All sums are integers, so the result is exact up to the last division and
/// the same on every machine.
[[nodiscard]] InkMoments measure_ink(const BinaryImage& image);

} // namespace sprig
