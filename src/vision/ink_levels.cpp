#include "vision/ink_levels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "vision/grey_levels.h"

namespace sprig {

namespace {

constexpr int refinements = 2;

Histogram histogram_where(const Image& image, const Image& mask) {
    Histogram histogram{};
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        if (mask.pixels[i] != 0) ++histogram[image.pixels[i]];
    return histogram;
}

/// 255 at most `reach` px before or after a level above the threshold.
void mark_near(std::span<const std::uint8_t> row, int threshold, int reach, std::span<std::uint8_t> marks) {
    const auto is_ink = [threshold](std::uint8_t v) { return v > threshold; };
    for (auto begin = std::find_if(row.begin(), row.end(), is_ink); begin != row.end();) {
        const auto end = std::find_if_not(begin, row.end(), is_ink);
        const std::ptrdiff_t from = std::max<std::ptrdiff_t>(0, (begin - row.begin()) - reach);
        const std::ptrdiff_t to = std::min<std::ptrdiff_t>(std::ssize(row), (end - row.begin()) + reach);
        std::fill(marks.begin() + from, marks.begin() + to, std::uint8_t{255});
        begin = std::find_if(end, row.end(), is_ink);
    }
}

/// The standard deviation of a normal distribution with the same median deviation as the levels up to the
/// threshold.
double deviation(const Histogram& histogram, int threshold, int median) {
    Histogram deviations{};
    for (int v = 0; v <= threshold; ++v)
        deviations[static_cast<std::size_t>(std::abs(v - median))] += histogram[static_cast<std::size_t>(v)];
    constexpr double of_normal = 1.4826;
    return of_normal * percentile(deviations, 0, 255, 50);
}

} // namespace

InkLevels clean_ink_levels(const Image& light, int threshold) {
    const Histogram histogram = histogram_of(light);
    InkLevels levels;
    levels.threshold = threshold;
    levels.paper = percentile(histogram, 0, levels.threshold, 50);
    levels.ink = percentile(histogram, levels.threshold + 1, 255, 90);
    return levels;
}

int near_reach(const Image& picture) {
    return std::max(1, (std::min(picture.width, picture.height) + 50) / 100);
}

Image near_ink(const Image& light, int threshold, int reach) {
    const auto width = static_cast<std::size_t>(light.width);
    Image beside(light.width, light.height);
    for (std::size_t y = 0; y < static_cast<std::size_t>(light.height); ++y)
        mark_near({light.pixels.data() + (y * width), width}, threshold, reach,
                  {beside.pixels.data() + (y * width), width});
    Image near(light.width, light.height);
    for (int y = 0; y < light.height; ++y) {
        std::uint8_t* to = near.pixels.data() + (static_cast<std::size_t>(y) * width);
        for (int v = std::max(0, y - reach); v <= std::min(light.height - 1, y + reach); ++v) {
            const std::uint8_t* from = beside.pixels.data() + (static_cast<std::size_t>(v) * width);
            for (std::size_t x = 0; x < width; ++x) to[x] |= from[x];
        }
    }
    return near;
}

InkLevels photographed_ink_levels(const Image& light) {
    const Histogram whole = histogram_of(light);
    const int reach = near_reach(light);
    Histogram near = whole;
    int threshold = otsu(whole);
    for (int i = 0; i < refinements; ++i) {
        near = histogram_where(light, near_ink(light, threshold, reach));
        threshold = otsu(near);
    }
    InkLevels levels;
    levels.paper = percentile(near, 0, threshold, 50);
    levels.ink = percentile(near, threshold + 1, 255, 95);
    levels.noise = deviation(whole, threshold, percentile(whole, 0, threshold, 50));
    levels.threshold = levels.are_found() ? (levels.paper + levels.ink) / 2 : threshold;
    return levels;
}

} // namespace sprig
