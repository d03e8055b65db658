#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "binarized.h"

namespace sprig::bench {

/// The unit F: seconds per image of cv::findContours, minimum of ten rounds.
inline double find_contours(const std::vector<cv::Mat>& images) {
    using Clock = std::chrono::steady_clock;
    std::vector<std::vector<cv::Point>> points;
    std::vector<cv::Vec4i> hierarchy;
    double least = 1;
    for (int round = 0; round < 10; ++round) {
        const auto begin = Clock::now();
        for (const cv::Mat& image : images)
            cv::findContours(image, points, hierarchy, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        least = std::min(least, seconds / static_cast<double>(images.size()));
    }
    return least;
}

/// The number of contours of the first images. This is the reference for instruction counts.
inline std::size_t count_contours(const Dataset& data, std::size_t count) {
    const std::vector<cv::Mat> images = binarized(data);
    std::vector<std::vector<cv::Point>> points;
    std::vector<cv::Vec4i> hierarchy;
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        cv::findContours(images[i], points, hierarchy, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
        found += points.size();
    }
    return found;
}

inline double find_contours(const Dataset& data) {
    return find_contours(binarized(data));
}

} // namespace sprig::bench
