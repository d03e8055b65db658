#include "vision/ink_moments.h"

#include <cmath>
#include <cstdint>

namespace sprig {

namespace {

/// Twice the sum of x and six times the sum of x * x, from 0 to `end`, exclusive.
std::int64_t sum_below(std::int64_t end) {
    return end * (end - 1);
}
std::int64_t sum_of_squares_below(std::int64_t end) {
    return end * (end - 1) * ((2 * end) - 1);
}

} // namespace

InkMoments measure_ink(const BinaryImage& image) {
    // An image has at most 2^14 px a side, so all sums stay far below 2^63.
    std::int64_t count = 0;
    std::int64_t sum_x = 0; // doubled
    std::int64_t sum_y = 0;
    std::int64_t sum_xx = 0; // times six
    std::int64_t sum_xy = 0; // doubled
    std::int64_t sum_yy = 0;
    for (int y = image.top(); y < image.bottom(); ++y) {
        std::int64_t in_row = 0;
        std::int64_t row_x = 0;
        for (const InkRun run : image.runs(y)) {
            const std::int64_t begin = run.begin;
            const std::int64_t end = run.last + 1;
            in_row += end - begin;
            row_x += sum_below(end) - sum_below(begin);
            sum_xx += sum_of_squares_below(end) - sum_of_squares_below(begin);
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
    ink.x = static_cast<double>(sum_x / 2) / n;
    ink.y = static_cast<double>(sum_y) / n;
    const double variance_x = (static_cast<double>(sum_xx / 6) / n) - (ink.x * ink.x);
    const double variance_y = (static_cast<double>(sum_yy) / n) - (ink.y * ink.y);
    const double variance = variance_x + variance_y;
    ink.radius = variance > 0 ? std::sqrt(variance) : 0;
    ink.doubled_cosine = variance_x - variance_y;
    ink.doubled_sine = 2 * ((static_cast<double>(sum_xy / 2) / n) - (ink.x * ink.y));
    return ink;
}

} // namespace sprig
