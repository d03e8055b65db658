#pragma once

#include <opencv2/core.hpp>

#include "sprig/image.h"

namespace sprig {

/// Whether the paper is what is lighter than the threshold: what (nearly) all of the border is or, if that is
/// divided, most of the picture.
[[nodiscard]] bool paper_is_light(const Image& image, int threshold);

/// 255 where there is ink, given that ink is light. Without specks, which are parts of less than a hundredth
/// of the largest, and without edges of a scan, which run along a side of the picture.
[[nodiscard]] cv::Mat ink_mask(const cv::Mat& light, int threshold);

/// Grey levels stretched so that paper is 0 and ink 255, and nothing but ink and its soft rim is left.
[[nodiscard]] cv::Mat soft_ink(const cv::Mat& light, const cv::Mat& mask, int paper, int ink);

/// A thin pen would vanish when a large drawing is made small, so its strokes are made as thick as a digit's
/// usually are, in place of `soft`. Returns by how much (px of the picture), or 0 if they are thick enough.
int thicken(cv::Mat& soft, const cv::Mat& mask, int box);

} // namespace sprig
