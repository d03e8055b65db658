#include "vision/contours.h"

#include <algorithm>

#include <opencv2/imgproc.hpp>

namespace sprig {

int ContourFinder::depth_of(std::size_t contour) const {
    constexpr int parent = 3; // in OpenCV's (next, previous, first child, parent)
    int depth = 0;
    for (int up = hierarchy_[contour][parent]; up >= 0;
         up = hierarchy_[static_cast<std::size_t>(up)][parent]) {
        ++depth;
    }
    return depth;
}

std::span<const TracedContour> ContourFinder::find(ImageView image, int threshold, std::size_t min_points) {
    binarized_.create(image.height, image.width, CV_8UC1);
    std::transform(image.pixels, image.pixels + image.size(), binarized_.data,
                   [level = static_cast<std::uint8_t>(threshold)](std::uint8_t v) -> std::uint8_t {
                       return v > level ? 255 : 0;
                   });
    cv::findContours(binarized_, points_, hierarchy_, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);

    found_.clear();
    for (std::size_t c = 0; c < points_.size(); ++c) {
        if (points_[c].size() >= min_points) found_.push_back({points_[c], depth_of(c)});
    }
    std::sort(found_.begin(), found_.end(), [](const TracedContour& a, const TracedContour& b) {
        const cv::Point& p = a.points.front();
        const cv::Point& q = b.points.front();
        return p.y != q.y ? p.y < q.y : p.x < q.x;
    });
    return found_;
}

} // namespace sprig
