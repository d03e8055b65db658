#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/centre.h"
#include "sprig/error.h"
#include "sprig/front_end.h"
#include "vision/grey_levels.h"
#include "vision/ink.h"

// Normalises a picture as MNIST was: ink on an empty background, its longer side scaled to a box, centred by
// mass in a square.

namespace sprig {

namespace {

/// The overlap of source pixel j with pixel i when `from` pixels are scaled to `to`, in units in which a
/// pixel of the result is `from` long.
std::int64_t overlap(int i, int j, int from, int to) {
    const std::int64_t begin = std::max(std::int64_t{i} * from, std::int64_t{j} * to);
    const std::int64_t end = std::min((i + std::int64_t{1}) * from, (j + std::int64_t{1}) * to);
    return std::max<std::int64_t>(0, end - begin);
}

/// Scales a part of an image by exact area averaging.
Image scale_area(const Image& image, const Rectangle& part, int width, int height) {
    Image result(width, height);
    for (int y = 0; y < height; ++y) {
        const int top = y * part.height / height;
        for (int x = 0; x < width; ++x) {
            const int left = x * part.width / width;
            std::int64_t sum = 0;
            for (int j = top;
                 j < part.height && std::int64_t{j} * height < (y + std::int64_t{1}) * part.height; ++j) {
                const std::int64_t down = overlap(y, j, part.height, height);
                for (int i = left;
                     i < part.width && std::int64_t{i} * width < (x + std::int64_t{1}) * part.width; ++i) {
                    sum += down * overlap(x, i, part.width, width) * image.at(part.left + i, part.top + j);
                }
            }
            const std::int64_t area = std::int64_t{part.height} * part.width;
            result.at(x, y) = static_cast<std::uint8_t>((sum + (area / 2)) / area);
        }
    }
    return result;
}

void check(const NormaliseParams& params) {
    if (params.box < 1 || params.side < params.box || params.side > 1024) {
        throw usage_error(
            fmt::format("a box of {} px does not fit into a square of {} px: the square may have up to "
                        "1024 px, and the box at most as many as the square",
                        params.box, params.side));
    }
}

bool is_dark_on_light(const Image& grey, int threshold, const NormaliseParams& params) {
    const bool dark = params.polarity == NormaliseParams::Polarity::guess
                          ? background_is_light(grey, threshold)
                          : params.polarity == NormaliseParams::Polarity::dark_on_light;
    return dark != params.invert;
}

} // namespace

Normalised normalise(const Picture& picture, const NormaliseParams& params) {
    check(params);
    Image levels = composite_over(picture, background_for(picture));
    const int threshold = otsu(histogram_of(levels));

    Normalised result;
    result.dark_on_light = is_dark_on_light(levels, threshold, params);
    result.threshold = threshold;
    if (result.dark_on_light) {
        for (std::uint8_t& v : levels.pixels) v = static_cast<std::uint8_t>(255 - v);
    }
    const int light_threshold = result.dark_on_light ? 254 - threshold : threshold;
    const Histogram histogram = histogram_of(levels);
    const int background = percentile(histogram, 0, light_threshold, 50);
    const int ink = percentile(histogram, light_threshold + 1, 255, 90);
    constexpr int min_contrast = 24; // less is the noise of an empty page
    if (background < 0 || ink < 0 || ink - background < min_contrast) {
        throw bad_input("the picture has no ink: all of it has the same shade");
    }

    const Image mask = ink_mask(levels, light_threshold);
    Image soft = soft_ink(levels, mask, background, ink);
    const Rectangle crop = bounds_of(soft);
    result.crop = {crop.left, crop.top, crop.width, crop.height};
    result.thickened = thicken(soft, mask, params.box);

    const Rectangle shape = bounds_of(soft);
    const int longer = std::max(shape.width, shape.height);
    const auto scaled = [&](int length) {
        return std::max(1, static_cast<int>(((2LL * length * params.box) + longer) / (2LL * longer)));
    };
    const Image small = scale_area(soft, shape, scaled(shape.width), scaled(shape.height));
    result.image = centre_by_mass(small, params.side);
    return result;
}

} // namespace sprig
