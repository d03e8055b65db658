#include "vision/ink_moments.h"

#include <cmath>
#include <cstdint>

namespace sprig {

namespace {

/// The sums of x and of x * x from 0 to `end`, exclusive.
std::int64_t sum_below(std::int64_t end) {
    return end * (end - 1) / 2;
}
std::int64_t sum_of_squares_below(std::int64_t end) {
    return end * (end - 1) * ((2 * end) - 1) / 6;
}

} // namespace

InkMoments measure_ink(const BinaryImage& image) {
    std::int64_t count = 0;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    std::int64_t sum_xx = 0;
    std::int64_t sum_xy = 0;
    std::int64_t sum_yy = 0;
    for (int y = image.top(); y < image.bottom(); ++y) {
        std::int64_t in_row = 0;
        std::int64_t row_x = 0;
        for_each_run(image.bits(y), [&](InkRun run) {
            in_row += run.end - run.begin;
            row_x += sum_below(run.end) - sum_below(run.begin);
            sum_xx += sum_of_squares_below(run.end) - sum_of_squares_below(run.begin);
        });
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
