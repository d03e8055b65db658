#include "vision/resample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sprig {

namespace {

constexpr std::int64_t one = 1 << 16; // a pixel in fixed point

/// The position in the original of the centre of a pixel of the enlarged image.
std::int64_t source_of(int pixel, int scale) {
    const std::int64_t numerator = ((2 * std::int64_t{pixel}) + 1 - scale) * one;
    const std::int64_t denominator = 2 * std::int64_t{scale};
    return (numerator >= 0 ? numerator + scale : numerator - scale) / denominator; // rounded
}

/// Interpolates between two rows, in fixed point, with one pixel of background at either end.
void blend_rows(ImageView image, std::int64_t y, std::vector<std::int64_t>& row) {
    const std::int64_t upper = y >> 16;
    const std::int64_t weight = y & (one - 1); // of the lower one
    row.assign(static_cast<std::size_t>(image.width) + 2, 0);
    const auto add = [&](std::int64_t from, std::int64_t share) {
        if (from < 0 || from >= image.height) return;
        for (int x = 0; x < image.width; ++x) {
            row[static_cast<std::size_t>(x) + 1] += share * image.at(x, static_cast<int>(from));
        }
    };
    add(upper, one - weight);
    add(upper + 1, weight);
}

/// Interpolates between two pixels of such a row.
std::uint8_t value_at(const std::vector<std::int64_t>& row, std::int64_t x) {
    const std::int64_t left = (x >> 16) + 1; // after the background pixel
    if (left < 0 || left + 1 >= static_cast<std::int64_t>(row.size())) return 0;
    const std::int64_t weight = x & (one - 1); // of the right one
    const auto at = static_cast<std::size_t>(left);
    return static_cast<std::uint8_t>(
        ((row[at] * (one - weight)) + (row[at + 1] * weight) + (one * one / 2)) >> 32);
}

} // namespace

Slant measure_slant(ImageView image) {
    // Sums of integers, exact in double for all practical image sizes.
    double mass = 0;
    double sum_x = 0;
    double sum_y = 0;
    double sum_xy = 0;
    double sum_yy = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const double v = image.at(x, y);
            mass += v;
            sum_x += v * x;
            sum_y += v * y;
            sum_xy += v * x * y;
            sum_yy += v * y * y;
        }
    }
    const double spread = (mass * sum_yy) - (sum_y * sum_y);
    if (spread <= 0) return {};
    const double shear = ((mass * sum_xy) - (sum_x * sum_y)) / spread;
    return {std::clamp(shear, -1.0, 1.0), sum_y / mass};
}

void Resampler::run(ImageView image, int scale, const Slant& slant, Image& result) {
    const auto shear = static_cast<std::int64_t>(std::llround(slant.shear * one));
    const auto centre = static_cast<std::int64_t>(std::llround(slant.centre_y * one));
    result.reshape(image.width * scale, image.height * scale);
    columns_.resize(static_cast<std::size_t>(result.width));
    for (int u = 0; u < result.width; ++u) columns_[static_cast<std::size_t>(u)] = source_of(u, scale);
    for (int v = 0; v < result.height; ++v) {
        const std::int64_t source_y = source_of(v, scale);
        const std::int64_t shift = (shear * (source_y - centre)) >> 16;
        blend_rows(image, source_y, row_);
        for (int u = 0; u < result.width; ++u)
            result.at(u, v) = value_at(row_, columns_[static_cast<std::size_t>(u)] + shift);
    }
}

} // namespace sprig
