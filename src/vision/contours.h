#pragma once

#include <span>
#include <vector>

#include <opencv2/core.hpp>

#include "sprig/image.h"

namespace sprig {

/// One closed contour: adjacent ink pixels with the ink on the left (outer boundaries counterclockwise, holes
/// clockwise).
struct TracedContour {
    std::span<const cv::Point> points;
    int depth = 0; ///< nesting depth: even is an outer boundary, odd a hole
};

/// Binarizes an image and traces its contours. Reuses its memory.
class ContourFinder {
  public:
    /// Contours with at least `min_points` points, in canonical order: by first point, row by row. The first
    /// point is the topmost, then leftmost one (of a hole, the pixel to the left of that). No two contours
    /// start at the same pixel, so the order is total. The result is valid until the next call.
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
