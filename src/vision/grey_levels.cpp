#include "vision/grey_levels.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig {

namespace {

std::uint8_t luminance(const std::uint8_t* pixel, int channels) {
    if (channels < 3) return pixel[0];
    return static_cast<std::uint8_t>(((299 * pixel[0]) + (587 * pixel[1]) + (114 * pixel[2]) + 500) / 1000);
}

} // namespace

void check_picture(const Picture& picture) {
    const auto needed = static_cast<std::size_t>(std::max(picture.width, 0)) *
                        static_cast<std::size_t>(std::max(picture.height, 0)) *
                        static_cast<std::size_t>(std::max(picture.channels, 0));
    if (needed == 0 || picture.channels > 4 || picture.pixels.size() != needed) {
        throw bad_input(fmt::format("a picture of {} x {} px with {} channels and {} bytes is not one",
                                    picture.width, picture.height, picture.channels, picture.pixels.size()));
    }
}

Image flatten(const Picture& picture, std::uint8_t paper) {
    Image image(picture.width, picture.height);
    const bool has_alpha = picture.channels % 2 == 0;
    const auto channels = static_cast<std::size_t>(picture.channels);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const std::uint8_t* pixel = picture.pixels.data() + (i * channels);
        const int alpha = has_alpha ? pixel[channels - 1] : 255;
        image.pixels[i] = static_cast<std::uint8_t>(
            ((luminance(pixel, picture.channels) * alpha) + (paper * (255 - alpha)) + 127) / 255);
    }
    return image;
}

std::uint8_t paper_for(const Picture& picture) {
    if (picture.channels % 2 != 0) return 255;
    const auto channels = static_cast<std::size_t>(picture.channels);
    std::int64_t weight = 0;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i + channels <= picture.pixels.size(); i += channels) {
        const std::uint8_t alpha = picture.pixels[i + channels - 1];
        weight += alpha;
        sum += std::int64_t{alpha} * luminance(picture.pixels.data() + i, picture.channels);
    }
    return 2 * sum > 255 * weight ? 0 : 255;
}

Histogram histogram_of(const Image& image) {
    Histogram histogram{};
    for (const std::uint8_t v : image.pixels) ++histogram[v];
    return histogram;
}

int otsu(const Histogram& histogram) {
    double total = 0;
    double sum = 0;
    for (std::size_t v = 0; v < histogram.size(); ++v) {
        total += static_cast<double>(histogram[v]);
        sum += static_cast<double>(histogram[v]) * static_cast<double>(v);
    }
    double below = 0;
    double sum_below = 0;
    double best = -1;
    int threshold = 0;
    for (std::size_t v = 0; v + 1 < histogram.size(); ++v) {
        below += static_cast<double>(histogram[v]);
        sum_below += static_cast<double>(histogram[v]) * static_cast<double>(v);
        const double above = total - below;
        if (below == 0 || above == 0) continue;
        const double apart = (sum_below / below) - ((sum - sum_below) / above);
        const double between = below * above * apart * apart;
        if (between > best) {
            best = between;
            threshold = static_cast<int>(v);
        }
    }
    return threshold;
}

int percentile(const Histogram& histogram, int from, int to, std::int64_t percent) {
    std::int64_t all = 0;
    for (int v = from; v <= to; ++v) all += histogram[static_cast<std::size_t>(v)];
    std::int64_t seen = 0;
    for (int v = from; v <= to; ++v) {
        seen += histogram[static_cast<std::size_t>(v)];
        if (all > 0 && 100 * seen >= percent * all) return v;
    }
    return -1;
}

Image grey(const Picture& picture, bool invert) {
    check_picture(picture);
    Image image = flatten(picture, invert ? 255 : 0);
    if (invert) {
        for (std::uint8_t& v : image.pixels) v = static_cast<std::uint8_t>(255 - v);
    }
    return image;
}

} // namespace sprig
