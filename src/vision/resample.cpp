#include "vision/resample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sprig {

namespace {

constexpr std::int64_t one = 1 << 16; // a pixel in fixed point

/// A coordinate between two pixels: the first of them, and the weight of the second.
struct Between {
    std::int64_t first;
    std::int64_t weight;
    explicit Between(std::int64_t at) : first(at >> 16), weight(at & (one - 1)) {}
};

/// Where the centre of an enlarged image's pixel lies in the original.
std::int64_t source_of(int pixel, int scale) {
    const std::int64_t numerator = ((2 * std::int64_t{pixel}) + 1 - scale) * one;
    const std::int64_t denominator = 2 * std::int64_t{scale};
    return (numerator >= 0 ? numerator + scale : numerator - scale) / denominator; // rounded
}

std::int64_t value_at(ImageView image, std::int64_t x, std::int64_t y) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return 0;
    return image.at(static_cast<int>(x), static_cast<int>(y));
}

std::int64_t along_row(ImageView image, Between x, std::int64_t y) {
    return (value_at(image, x.first, y) * (one - x.weight)) + (value_at(image, x.first + 1, y) * x.weight);
}

} // namespace

Slant measure_slant(ImageView image) {
    // Sums of whole numbers, exact in double for any image that is not gigantic.
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

void resample(ImageView image, int scale, const Slant& slant, Image& result) {
    const auto shear = static_cast<std::int64_t>(std::llround(slant.shear * one));
    const auto centre = static_cast<std::int64_t>(std::llround(slant.centre_y * one));
    result.reshape(image.width * scale, image.height * scale);
    for (int v = 0; v < result.height; ++v) {
        const std::int64_t source_y = source_of(v, scale);
        const std::int64_t shift = (shear * (source_y - centre)) >> 16;
        const Between y(source_y);
        for (int u = 0; u < result.width; ++u) {
            const Between x(source_of(u, scale) + shift);
            const std::int64_t value = (along_row(image, x, y.first) * (one - y.weight)) +
                                       (along_row(image, x, y.first + 1) * y.weight);
            result.at(u, v) = static_cast<std::uint8_t>((value + (one * one / 2)) >> 32);
        }
    }
}

} // namespace sprig
