#include "vision/pen.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "vision/distance.h"
#include "vision/ink.h"

namespace sprig {

namespace {

/// The ink, enlarged by a factor with bilinear interpolation, with an empty margin. In integers, so that the
/// result is the same on every machine.
Image enlarged(const Image& image, const Rectangle& part, int times, int margin) {
    Image result((part.width * times) + (2 * margin), (part.height * times) + (2 * margin));
    const auto at = [&](int x, int y) {
        return x < 0 || y < 0 || x >= part.width || y >= part.height
                   ? 0
                   : int{image.at(part.left + x, part.top + y)};
    };
    const int whole = 2 * times; // a pixel, in units in which the centre of every new pixel is an integer
    const auto place = [&](int i) {
        const int doubled = (2 * (i - margin)) + 1 - times + (whole * (margin + 1));
        return std::pair{(doubled / whole) - margin - 1, doubled % whole};
    };
    for (int y = 0; y < result.height; ++y) {
        const auto [row, down] = place(y);
        for (int x = 0; x < result.width; ++x) {
            const auto [column, right] = place(x);
            const int above = (at(column, row) * (whole - right)) + (at(column + 1, row) * right);
            const int below = (at(column, row + 1) * (whole - right)) + (at(column + 1, row + 1) * right);
            const int sum = (above * (whole - down)) + (below * down);
            result.at(x, y) = static_cast<std::uint8_t>((sum + (whole * whole / 2)) / (whole * whole));
        }
    }
    return result;
}

/// Distances to ink, or to what is not ink.
DistanceMap distances_to(bool ink, const Image& image) {
    constexpr std::uint8_t edge = 127;
    DistanceMap distance(image.width, image.height);
    const std::uint8_t* from = image.pixels.data();
    for (int y = 0; y < image.height; ++y, from += image.width) {
        std::transform(from, from + image.width, distance.row(y).begin(),
                       [ink](std::uint8_t v) { return (v > edge) == ink ? 0 : DistanceMap::far; });
    }
    distance.measure();
    return distance;
}

/// Four times the mean distance from the ink to its edge: of a line, that is its width.
double stroke_width(DistanceMap& to_paper) {
    std::int64_t sum = 0;
    std::int64_t pixels = 0;
    for (int y = 0; y < to_paper.height(); ++y) {
        for (const std::int32_t d : to_paper.row(y)) {
            sum += d;
            pixels += d != 0 ? 1 : 0;
        }
    }
    if (pixels == 0) return 0;
    const double mean = static_cast<double>(sum) / DistanceMap::one_pixel / static_cast<double>(pixels);
    return 4 * (mean - 0.5); // the edge is half a pixel nearer than the first pixel beyond it
}

/// The width that replaces a width, both in shares of the ink's longer side. It is continuous, so that no pen
/// is just on one side of a limit. Narrowing is less than widening, because strokes of uneven width break.
double evened_width(double width) {
    constexpr double thinnest = 0.07;
    constexpr double thickest = 0.10; ///< of what was drawn with a pen
    constexpr double widest_pen = 0.17;
    constexpr double solid = 0.3; ///< not drawn with a pen
    if (width >= solid) return width;
    if (width > widest_pen)
        return thickest + ((width - widest_pen) * (solid - thickest) / (solid - widest_pen));
    return std::clamp(width, thinnest, thickest);
}

/// The share of each pixel that lies within a reach, which is measured from the edge of the pixels at
/// distance 0. If those are what is left of each pixel, `inverted` is 255.
void cover(Image& image, DistanceMap& distance, double reach, std::uint8_t inverted) {
    std::uint8_t* to = image.pixels.data();
    for (int y = 0; y < image.height; ++y, to += image.width) {
        const std::span<const std::int32_t> row = distance.row(y);
        for (std::size_t x = 0; x < row.size(); ++x) {
            const double off = static_cast<double>(row[x]) / DistanceMap::one_pixel;
            const auto covered =
                static_cast<std::uint8_t>(std::lround(255 * std::clamp(1 + reach - off, 0.0, 1.0)));
            to[x] = static_cast<std::uint8_t>(covered ^ inverted);
        }
    }
}

} // namespace

EvenedPen even_pen(const Image& soft, int box) {
    const Rectangle ink = bounds_of(soft);
    const int longer = std::max(ink.width, ink.height);
    if (longer == 0) return {soft, 0};
    const int times = std::max(1, ((2 * box) + longer - 1) / longer);
    const int length = longer * times;
    Image large = enlarged(soft, ink, times, 1 + (length / 16)); // room for the widest of thin strokes
    DistanceMap to_paper = distances_to(false, large);
    const double width = stroke_width(to_paper) / length;
    const double change = (evened_width(width) - width) * length;
    if (width <= 0 || change == 0) return {std::move(large), 0};
    if (change > 0) {
        DistanceMap to_ink = distances_to(true, large);
        cover(large, to_ink, change / 2, 0);
    } else {
        cover(large, to_paper, -change / 2, 255);
    }
    return {std::move(large), change / times};
}

} // namespace sprig
