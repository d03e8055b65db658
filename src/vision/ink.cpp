#include "vision/ink.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <opencv2/imgproc.hpp>

namespace sprig {

namespace {

/// Number of pixels above a threshold, and of all pixels.
struct PixelCount {
    std::int64_t above = 0;
    std::int64_t all = 0;

    void count(std::uint8_t value, int threshold) {
        ++all;
        if (value > threshold) ++above;
    }
};

PixelCount count_border(const Image& image, int threshold) {
    PixelCount border;
    for (int y = 0; y < image.height; ++y) {
        const bool edge_row = y == 0 || y == image.height - 1;
        for (int x = 0; x < image.width; x += edge_row || image.width == 1 ? 1 : image.width - 1) {
            border.count(image.at(x, y), threshold);
        }
    }
    return border;
}

/// Whether a component runs along a whole side of the picture, as the edge of a scan does.
bool runs_along_a_side(const cv::Mat& stats, int part, const cv::Size& size) {
    const int left = stats.at<int>(part, cv::CC_STAT_LEFT);
    const int top = stats.at<int>(part, cv::CC_STAT_TOP);
    const int width = stats.at<int>(part, cv::CC_STAT_WIDTH);
    const int height = stats.at<int>(part, cv::CC_STAT_HEIGHT);
    const bool upright = 10 * height >= 9 * size.height && (left == 0 || left + width == size.width);
    const bool flat = 10 * width >= 9 * size.width && (top == 0 || top + height == size.height);
    return upright || flat;
}

/// By component: 255 if it is kept; component 0 is the background.
std::vector<std::uint8_t> parts_to_keep(const cv::Mat& stats, const cv::Size& size) {
    const int parts = stats.rows;
    int largest_inside = 0;
    int largest = 0;
    for (int part = 1; part < parts; ++part) {
        const int area = stats.at<int>(part, cv::CC_STAT_AREA);
        largest = std::max(largest, area);
        if (!runs_along_a_side(stats, part, size)) largest_inside = std::max(largest_inside, area);
    }
    // Drop the edges of a scan only if more than specks would be left.
    const bool drop_edges = 100LL * largest_inside >= largest;
    const int measure = drop_edges ? largest_inside : largest;
    std::vector<std::uint8_t> keep(static_cast<std::size_t>(parts), 0);
    for (int part = 1; part < parts; ++part) {
        if (drop_edges && runs_along_a_side(stats, part, size)) continue;
        if (100LL * stats.at<int>(part, cv::CC_STAT_AREA) >= measure)
            keep[static_cast<std::size_t>(part)] = 255;
    }
    return keep;
}

/// The stroke width: four times the mean distance from the ink to its edge.
double stroke_width(const cv::Mat& mask) {
    cv::Mat padded;
    cv::copyMakeBorder(mask, padded, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
    cv::Mat distance;
    cv::distanceTransform(padded, distance, cv::DIST_L2, cv::DIST_MASK_5);
    return 4 * (cv::mean(distance, padded)[0] - 0.25); // a pixel's centre is half a pixel inside
}

} // namespace

bool background_is_light(const Image& image, int threshold) {
    const PixelCount border = count_border(image, threshold);
    // Three quarters of the border decide.
    if (4 * border.above >= 3 * border.all) return true;
    if (4 * border.above <= border.all) return false;
    PixelCount whole;
    for (const std::uint8_t v : image.pixels) whole.count(v, threshold);
    return 2 * whole.above > whole.all;
}

cv::Mat ink_mask(const cv::Mat& light, int threshold) {
    const cv::Mat mask = light > threshold;
    cv::Mat labels;
    cv::Mat stats;
    cv::Mat centroids;
    cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
    const std::vector<std::uint8_t> keep = parts_to_keep(stats, mask.size());
    cv::Mat kept(mask.size(), CV_8UC1);
    for (int y = 0; y < kept.rows; ++y) {
        for (int x = 0; x < kept.cols; ++x) {
            kept.at<std::uint8_t>(y, x) = keep[static_cast<std::size_t>(labels.at<int>(y, x))];
        }
    }
    return kept;
}

cv::Mat soft_ink(const cv::Mat& light, const cv::Mat& mask, int background, int ink) {
    cv::Mat rim;
    cv::dilate(mask, rim, cv::Mat());
    cv::Mat soft(light.size(), CV_8UC1, cv::Scalar(0));
    for (int y = 0; y < soft.rows; ++y) {
        for (int x = 0; x < soft.cols; ++x) {
            if (rim.at<std::uint8_t>(y, x) == 0) continue;
            const int stretched = 255 * (light.at<std::uint8_t>(y, x) - background) / (ink - background);
            soft.at<std::uint8_t>(y, x) = static_cast<std::uint8_t>(std::clamp(stretched, 0, 255));
        }
    }
    return soft;
}

int thicken(cv::Mat& soft, const cv::Mat& mask, int box) {
    const cv::Mat ink = mask(cv::boundingRect(mask));
    const double shrink = static_cast<double>(box) / std::max(ink.cols, ink.rows);
    const double width = stroke_width(ink);
    constexpr double thinnest = 1.5; // px of the result
    constexpr double typical = 2.2;
    if (width * shrink >= thinnest) return 0;
    const int radius = static_cast<int>(std::lround(((typical / shrink) - width) / 2));
    if (radius < 1) return 0;
    // A distance transform takes one pass, however large the radius is.
    cv::Mat background;
    const int margin = radius + 1;
    cv::copyMakeBorder(ink, background, margin, margin, margin, margin, cv::BORDER_CONSTANT, cv::Scalar(0));
    background = background == 0;
    cv::Mat distance;
    cv::distanceTransform(background, distance, cv::DIST_L2, cv::DIST_MASK_5);
    soft = distance <= radius;
    return 2 * radius;
}

} // namespace sprig
