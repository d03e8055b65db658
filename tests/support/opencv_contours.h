#pragma once

#include <algorithm>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "vision/contours.h"

namespace sprig::test {

/// A contour as OpenCV and we both find it.
struct PlainContour {
    std::vector<PixelPoint> points;
    int depth = 0;

    bool operator==(const PlainContour&) const = default;
};

/// The contours of cv::findContours in canonical order: by first point, row by row. Ink is not 0.
inline std::vector<PlainContour> opencv_contours(const Image& binary) {
    cv::Mat mat(binary.height, binary.width, CV_8UC1, const_cast<std::uint8_t*>(binary.pixels.data()));
    std::vector<std::vector<cv::Point>> points;
    std::vector<cv::Vec4i> hierarchy;
    cv::findContours(mat, points, hierarchy, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
    std::vector<PlainContour> result(points.size());
    for (std::size_t c = 0; c < points.size(); ++c) {
        for (const cv::Point& p : points[c]) result[c].points.push_back({p.x, p.y});
        constexpr int parent = 3; // in OpenCV's (next, previous, first child, parent)
        for (int up = hierarchy[c][parent]; up >= 0; up = hierarchy[static_cast<std::size_t>(up)][parent])
            ++result[c].depth;
    }
    std::sort(result.begin(), result.end(), [](const PlainContour& a, const PlainContour& b) {
        const PixelPoint p = a.points.front();
        const PixelPoint q = b.points.front();
        return p.y != q.y ? p.y < q.y : p.x < q.x;
    });
    return result;
}

/// Our contours, with the points that follow from the steps.
inline std::vector<PlainContour> plain_contours(std::span<const TracedContour> traced) {
    std::vector<PlainContour> result;
    for (const TracedContour& contour : traced) {
        PlainContour& plain = result.emplace_back();
        plain.depth = contour.depth;
        for (std::size_t i = 0; i < contour.size; ++i) plain.points.push_back(contour.point(i));
    }
    return result;
}

} // namespace sprig::test
