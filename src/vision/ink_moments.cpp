#include "vision/ink_moments.h"

#include <cmath>
#include <cstdint>

namespace sprig {

InkMoments measure_ink(const cv::Mat& binarized) {
    std::int64_t count = 0;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    std::int64_t sum_xx = 0; // an image has at most 2^14 px a side, so this stays far below 2^63
    std::int64_t sum_yy = 0;
    std::int64_t sum_xy = 0;
    for (int y = 0; y < binarized.rows; ++y) {
        const auto* row = binarized.ptr<std::uint8_t>(y);
        std::int64_t in_row = 0;
        std::int64_t row_x = 0;
        for (std::int64_t x = 0; x < binarized.cols; ++x) {
            if (row[x] == 0) continue;
            ++in_row;
            row_x += x;
            sum_xx += x * x;
        }
        count += in_row;
        sum_x += row_x;
        sum_y += in_row * y;
        sum_xy += row_x * y;
        sum_yy += in_row * y * y;
    }
    if (count == 0) return {};
    const auto n = static_cast<double>(count);
    InkMoments ink;
    ink.x = static_cast<double>(sum_x) / n;
    ink.y = static_cast<double>(sum_y) / n;
    const double variance_x = (static_cast<double>(sum_xx) / n) - (ink.x * ink.x);
    const double variance_y = (static_cast<double>(sum_yy) / n) - (ink.y * ink.y);
    const double variance = variance_x + variance_y;
    ink.radius = variance > 0 ? std::sqrt(variance) : 0;
    ink.doubled_cosine = variance_x - variance_y;
    ink.doubled_sine = 2 * ((static_cast<double>(sum_xy) / n) - (ink.x * ink.y));
    return ink;
}

} // namespace sprig
