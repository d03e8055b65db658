#pragma once

#include <opencv2/core.hpp>

namespace sprig {

/// Where the ink of a black and white image lies, in px.
struct InkMoments {
    double x = 0; ///< the centre of mass
    double y = 0;
    double radius = 0; ///< root mean square distance from it; 0 without ink
    /// Of the angle between x and the principal axis, the doubled one: its cosine and sine times how far the
    /// ink is from being the same in all directions.
    double doubled_cosine = 0;
    double doubled_sine = 0;
};

/// Ink is where the image is not 0. All sums are whole numbers, so that the result is exact up to the last
/// division and the same on every machine.
[[nodiscard]] InkMoments measure_ink(const cv::Mat& binarized);

} // namespace sprig
