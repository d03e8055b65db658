#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "vision/grey_levels.h"
#include "vision/polarity.h"

/// The normalisation of clean pictures with the operations of OpenCV. Shares with Sprig the steps that never
/// used OpenCV: grey levels, threshold and polarity.
namespace sprig::test::reference {

/// The image as a matrix, which refers to its pixels.
inline cv::Mat matrix_of(const Image& image) {
    return {image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data())};
}

inline Image image_of(const cv::Mat& matrix) {
    Image image(matrix.cols, matrix.rows);
    if (!image.pixels.empty()) matrix.copyTo(matrix_of(image));
    return image;
}

/// Of rows whose length is a multiple of four: of other rows, OpenCV 4.6 misses ink in the first three
/// columns (opencv/opencv issue 24217).
inline cv::Rect bounding_rect(const cv::Mat& mask) {
    cv::Mat padded;
    cv::copyMakeBorder(mask, padded, 0, 0, 0, 3 - ((mask.cols + 3) % 4), cv::BORDER_CONSTANT, cv::Scalar(0));
    return cv::boundingRect(padded);
}

/// One connected component.
struct Part {
    cv::Mat mask;
    cv::Rect bounds;
    int area = 0;

    [[nodiscard]] bool touches_edge() const {
        return bounds.x == 0 || bounds.y == 0 || bounds.x + bounds.width == mask.cols ||
               bounds.y + bounds.height == mask.rows;
    }
    [[nodiscard]] bool runs_along_edge() const {
        const int touched = cv::countNonZero(mask.col(0)) + cv::countNonZero(mask.col(mask.cols - 1)) +
                            cv::countNonZero(mask.row(0)) + cv::countNonZero(mask.row(mask.rows - 1));
        return 2 * touched >= mask.cols + mask.rows;
    }
    [[nodiscard]] bool is_in_the_middle() const {
        const cv::Moments moments = cv::moments(mask, true);
        const auto is_middle = [&](double sum, int length) {
            return 10 * sum >= 3 * moments.m00 * (length - 1) && 10 * sum <= 7 * moments.m00 * (length - 1);
        };
        return is_middle(moments.m10, mask.cols) && is_middle(moments.m01, mask.rows);
    }
    [[nodiscard]] bool comes_in() const {
        return touches_edge() && (runs_along_edge() || !is_in_the_middle());
    }
    [[nodiscard]] bool is_large() const {
        return 100 * std::max(bounds.width, bounds.height) >= 8 * std::min(mask.cols, mask.rows);
    }
};

inline std::vector<Part> parts_of(const cv::Mat& mask) {
    cv::Mat labels;
    cv::Mat stats;
    cv::Mat centroids;
    const int count = cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
    std::vector<Part> parts;
    for (int i = 1; i < count; ++i) {
        const cv::Rect bounds(stats.at<int>(i, cv::CC_STAT_LEFT), stats.at<int>(i, cv::CC_STAT_TOP),
                              stats.at<int>(i, cv::CC_STAT_WIDTH), stats.at<int>(i, cv::CC_STAT_HEIGHT));
        parts.push_back({labels == i, bounds, stats.at<int>(i, cv::CC_STAT_AREA)});
    }
    return parts;
}

inline cv::Mat ink_mask(const cv::Mat& light, int threshold) {
    std::vector<Part> parts = parts_of(light > threshold);
    const bool ink_inside = std::any_of(
        parts.begin(), parts.end(), [](const Part& part) { return part.is_large() && !part.touches_edge(); });
    if (ink_inside) std::erase_if(parts, [](const Part& part) { return part.comes_in(); });
    int largest = 0;
    for (const Part& part : parts) largest = std::max(largest, part.area);
    cv::Mat kept(light.size(), CV_8UC1, cv::Scalar(0));
    for (const Part& part : parts)
        if (100LL * part.area >= largest) kept |= part.mask;
    return kept;
}

inline cv::Mat soft_ink(const cv::Mat& light, const cv::Mat& mask, int background, int ink) {
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

inline double stroke_width(const cv::Mat& mask) {
    cv::Mat padded;
    cv::copyMakeBorder(mask, padded, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
    cv::Mat distance;
    cv::distanceTransform(padded, distance, cv::DIST_L2, cv::DIST_MASK_5);
    return 4 * (cv::mean(distance, padded)[0] - 0.25);
}

inline int thicken(cv::Mat& soft, const cv::Mat& mask, int box) {
    const cv::Mat ink = mask(bounding_rect(mask));
    const double shrink = static_cast<double>(box) / std::max(ink.cols, ink.rows);
    const double width = stroke_width(ink);
    if (width * shrink >= 1.5) return 0;
    const int radius = static_cast<int>(std::lround(((2.2 / shrink) - width) / 2));
    if (radius < 1) return 0;
    cv::Mat background;
    const int margin = radius + 1;
    cv::copyMakeBorder(ink, background, margin, margin, margin, margin, cv::BORDER_CONSTANT, cv::Scalar(0));
    background = background == 0;
    cv::Mat distance;
    cv::distanceTransform(background, distance, cv::DIST_L2, cv::DIST_MASK_5);
    soft = distance <= radius;
    return 2 * radius;
}

inline std::int64_t overlap(int i, int j, int from, int to) {
    const std::int64_t begin = std::max(std::int64_t{i} * from, std::int64_t{j} * to);
    const std::int64_t end = std::min((i + std::int64_t{1}) * from, (j + std::int64_t{1}) * to);
    return std::max<std::int64_t>(0, end - begin);
}

inline Image scale_area(const cv::Mat& source, int width, int height) {
    Image result(width, height);
    for (int y = 0; y < height; ++y) {
        const int top = y * source.rows / height;
        for (int x = 0; x < width; ++x) {
            const int left = x * source.cols / width;
            std::int64_t sum = 0;
            for (int j = top;
                 j < source.rows && std::int64_t{j} * height < (y + std::int64_t{1}) * source.rows; ++j) {
                const std::int64_t down = overlap(y, j, source.rows, height);
                for (int i = left;
                     i < source.cols && std::int64_t{i} * width < (x + std::int64_t{1}) * source.cols; ++i) {
                    sum += down * overlap(x, i, source.cols, width) * source.at<std::uint8_t>(j, i);
                }
            }
            const std::int64_t area = std::int64_t{source.rows} * source.cols;
            result.at(x, y) = static_cast<std::uint8_t>((sum + (area / 2)) / area);
        }
    }
    return result;
}

inline int centred_offset(const std::vector<std::int64_t>& masses, int side) {
    std::int64_t mass = 0;
    std::int64_t moment = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) {
        mass += masses[i];
        moment += masses[i] * static_cast<std::int64_t>(i);
    }
    const int length = static_cast<int>(masses.size());
    if (mass == 0) return (side - length) / 2;
    const double centre = static_cast<double>(moment) / static_cast<double>(mass);
    return std::clamp(static_cast<int>(std::lround((side / 2) - centre)), 0, side - length);
}

inline Image centre_by_mass(const Image& image, int side) {
    std::vector<std::int64_t> columns(static_cast<std::size_t>(image.width));
    std::vector<std::int64_t> rows(static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            columns[static_cast<std::size_t>(x)] += image.at(x, y);
            rows[static_cast<std::size_t>(y)] += image.at(x, y);
        }
    }
    const cv::Rect place(centred_offset(columns, side), centred_offset(rows, side), image.width,
                         image.height);
    Image result(side, side);
    matrix_of(image).copyTo(matrix_of(result)(place));
    return result;
}

inline bool is_dark_on_light(const Image& grey, int threshold, const NormaliseParams& params) {
    const bool dark = params.polarity == NormaliseParams::Polarity::guess
                          ? background_is_light(grey, threshold)
                          : params.polarity == NormaliseParams::Polarity::dark_on_light;
    return dark != params.invert;
}

inline Normalised normalise(const Picture& picture, NormaliseParams params) {
    if (params.box == 0) params.box = NormaliseParams::usual_box;
    if (params.side == 0) params.side = NormaliseParams::usual_side;
    Image levels = composite_over(picture, background_for(picture));
    Normalised result;
    result.threshold = otsu(histogram_of(levels));
    result.dark_on_light = is_dark_on_light(levels, result.threshold, params);
    if (result.dark_on_light) {
        for (std::uint8_t& v : levels.pixels) v = static_cast<std::uint8_t>(255 - v);
    }
    const int threshold = result.dark_on_light ? 254 - result.threshold : result.threshold;
    const Histogram histogram = histogram_of(levels);
    const int background = percentile(histogram, 0, threshold, 50);
    const int ink = percentile(histogram, threshold + 1, 255, 90);
    if (background < 0 || ink < 0 || ink - background < 24) throw bad_input("the picture has no ink");

    const cv::Mat light = matrix_of(levels);
    const cv::Mat mask = ink_mask(light, threshold);
    cv::Mat soft = soft_ink(light, mask, background, ink);
    const cv::Rect bounds = bounding_rect(soft);
    result.crop = {bounds.x, bounds.y, bounds.width, bounds.height};
    result.thickened = thicken(soft, mask, params.box);

    const cv::Mat cropped = soft(bounding_rect(soft));
    const int longer = std::max(cropped.cols, cropped.rows);
    const auto scaled = [&](int length) {
        return std::max(1, static_cast<int>(((2LL * length * params.box) + longer) / (2LL * longer)));
    };
    result.image =
        centre_by_mass(scale_area(cropped, scaled(cropped.cols), scaled(cropped.rows)), params.side);
    return result;
}

} // namespace sprig::test::reference
