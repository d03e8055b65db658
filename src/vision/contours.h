#pragma once

#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "sprig/image.h"

namespace sprig {

/// One closed contour: neighbouring pixels of ink, in walking order with the ink to the left (outer
/// boundaries against the clock, holes with it).
struct TracedContour {
    std::span<const cv::Point> points;
    int depth = 0; ///< nesting depth: even is an outer boundary, odd a hole
};

/// Binarizes an image and walks its contours. Keeps its memory from image to image.
class ContourFinder {
  public:
    /// Contours of at least `min_points` points, in canonical order: by their first point, which is the
    /// topmost, then leftmost (of a hole: the pixel to the left of that), row by row. No two contours
    /// begin at the same pixel, so the order is complete. Valid until the next call.
    std::span<const TracedContour> find(ImageView image, int threshold, std::size_t min_points);

    /// 255 where there is ink.
    [[nodiscard]] const cv::Mat& binarized() const { return binarized_; }

  private:
    [[nodiscard]] int depth_of(std::size_t contour) const;

    cv::Mat binarized_;
    std::vector<std::vector<cv::Point>> points_;
    std::vector<cv::Vec4i> hierarchy_;
    std::vector<TracedContour> found_;
};

} // namespace sprig
