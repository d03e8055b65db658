#include "vision/grey_levels.h"

namespace sprig {

std::uint8_t background_for(const Picture& picture) {
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

} // namespace sprig
