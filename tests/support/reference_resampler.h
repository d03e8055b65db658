#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "vision/resample.h"

namespace sprig::test {

/// Enlarges and deskews images literally: every pixel of the result is interpolated. `Resampler` must give
/// the same ink.
class ReferenceResampler {
  public:
    static Image run(ImageView image, int scale, const Slant& slant) {
        const auto shear = static_cast<std::int64_t>(std::llround(slant.shear * one));
        const auto centre = static_cast<std::int64_t>(std::llround(slant.centre_y * one));
        Image result(image.width * scale, image.height * scale);
        for (int v = 0; v < result.height; ++v) {
            const std::int64_t source_y = source_of(v, scale);
            const std::int64_t shift = (shear * (source_y - centre)) >> 16;
            const std::vector<std::int64_t> row = blend_rows(image, source_y);
            for (int u = 0; u < result.width; ++u)
                result.at(u, v) = value_at(row, source_of(u, scale) + shift);
        }
        return result;
    }

  private:
    static constexpr std::int64_t one = 1 << 16; // a pixel in fixed point

    /// The position in the original of the centre of a pixel of the enlarged image.
    static std::int64_t source_of(int pixel, int scale) {
        const std::int64_t numerator = ((2 * std::int64_t{pixel}) + 1 - scale) * one;
        const std::int64_t denominator = 2 * std::int64_t{scale};
        return (numerator >= 0 ? numerator + scale : numerator - scale) / denominator; // rounded
    }

    /// Interpolates between two rows, in fixed point, with one pixel of background at either end.
    static std::vector<std::int64_t> blend_rows(ImageView image, std::int64_t y) {
        const std::int64_t upper = y >> 16;
        const std::int64_t weight = y & (one - 1); // of the lower one
        std::vector<std::int64_t> row(static_cast<std::size_t>(image.width) + 2, 0);
        const auto add = [&](std::int64_t from, std::int64_t share) {
            if (from < 0 || from >= image.height) return;
            for (int x = 0; x < image.width; ++x)
                row[static_cast<std::size_t>(x) + 1] += share * image.at(x, static_cast<int>(from));
        };
        add(upper, one - weight);
        add(upper + 1, weight);
        return row;
    }

    /// Interpolates between two pixels of such a row.
    static std::uint8_t value_at(const std::vector<std::int64_t>& row, std::int64_t x) {
        const std::int64_t left = (x >> 16) + 1; // after the background pixel
        if (left < 0 || left + 1 >= static_cast<std::int64_t>(row.size())) return 0;
        const std::int64_t weight = x & (one - 1); // of the right one
        const auto at = static_cast<std::size_t>(left);
        return static_cast<std::uint8_t>(
            ((row[at] * (one - weight)) + (row[at + 1] * weight) + (one * one / 2)) >> 32);
    }
};

} // namespace sprig::test
