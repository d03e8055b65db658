#pragma once

#include <opencv2/core.hpp>

#include "sprig/image.h"

namespace sprig {

/// Whether the background is lighter than the threshold: decided by the border or, if that is mixed, by the
/// majority of all pixels.
[[nodiscard]] bool background_is_light(const Image& image, int threshold);

/// 255 where there is ink; ink must be light. Leaves out specks (components of less than a hundredth of the
/// largest) and the edges of a scan (components along a side of the picture).
[[nodiscard]] cv::Mat ink_mask(const cv::Mat& light, int threshold);

/// Grey levels stretched so that background is 0 and ink 255. Everything but ink and its soft rim is 0.
[[nodiscard]] cv::Mat soft_ink(const cv::Mat& light, const cv::Mat& mask, int background, int ink);

/// Widens thin strokes to the thickness of a typical digit, because they would vanish when a large drawing is
/// scaled down. Replaces `soft`. Returns the amount in px of the picture, or 0 if the strokes are thick
/// enough.
int thicken(cv::Mat& soft, const cv::Mat& mask, int box);

} // namespace sprig
