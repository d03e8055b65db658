#include "vision/polarity.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "vision/area_scale.h"
#include "vision/grey_levels.h"

namespace sprig {

namespace {

/// Cells along the shorter side. Small enough that noise averages out.
constexpr int border_cells = 64;
constexpr int median_cells = 32;

/// Number of pixels above a threshold, and of all pixels.
struct PixelCount {
    std::int64_t above = 0;
    std::int64_t all = 0;

    void count(std::uint8_t value, int threshold) {
        ++all;
        if (value > threshold) ++above;
    }
    /// Whether this percentage of the pixels is above the threshold or up to it; nothing if neither is.
    [[nodiscard]] std::optional<bool> is_above(int percent) const {
        if (100 * above >= percent * all) return true;
        if (100 * above <= (100 - percent) * all) return false;
        return {};
    }
};

/// Calls a function with the value of each pixel of the border.
template <class Use>
void for_border(const Image& image, const Use& use) {
    for (int y = 0; y < image.height; ++y) {
        const bool edge_row = y == 0 || y == image.height - 1;
        for (int x = 0; x < image.width; x += edge_row || image.width == 1 ? 1 : image.width - 1)
            use(image.at(x, y));
    }
}

/// What separates the levels of a picture at a threshold: medians of both sides.
struct Sides {
    int dark = 0;
    int light = 0;
};

/// Whether the levels of the border differ less than the two sides of the threshold do. Where light falls off
/// towards the border, the threshold separates light, too.
bool is_of_one_shade(const Histogram& border, const Sides& sides) {
    const int spread = percentile(border, 0, 255, 95) - percentile(border, 0, 255, 5);
    return 4 * spread <= 3 * (sides.light - sides.dark);
}

/// Whether the threshold separates ink from paper for certain: a shadow is not as dark.
bool is_ink(const Sides& sides) {
    return 100 * sides.dark < 45 * sides.light;
}

/// Whether the border tells that the background is light or dark.
std::optional<bool> border_is_light(const Image& cells) {
    const Histogram whole = histogram_of(cells);
    const int threshold = otsu(whole);
    const Sides sides = {percentile(whole, 0, threshold, 50), percentile(whole, threshold + 1, 255, 50)};
    PixelCount count;
    Histogram border{};
    for_border(cells, [&](std::uint8_t value) {
        count.count(value, threshold);
        ++border[value];
    });
    // Where a shadow crosses the border, the threshold may separate light, not ink.
    const std::optional<bool> nearly_all = count.is_above(98);
    if (nearly_all && is_of_one_shade(border, sides)) return nearly_all;
    return is_ink(sides) ? count.is_above(75) : std::nullopt;
}

/// The median of the levels in a window, which moves by columns.
class WindowMedian {
  public:
    void clear() {
        counts_.fill(0);
        all_ = 0;
    }
    void change_column(const Image& image, int x, int top, int bottom, int by) {
        for (int y = top; y < bottom; ++y) counts_[image.at(x, y)] += by;
        all_ += by * (bottom - top);
    }
    [[nodiscard]] int median() const {
        int below = 0;
        int level = 0;
        while (2 * (below + counts_[static_cast<std::size_t>(level)]) < all_) {
            below += counts_[static_cast<std::size_t>(level)];
            ++level;
        }
        return level;
    }

  private:
    std::array<int, 256> counts_{};
    int all_ = 0;
};

/// By pixel: the median of a square window around it, as far as it is inside the image.
Image local_medians(const Image& image, int radius) {
    Image result(image.width, image.height);
    WindowMedian window;
    for (int y = 0; y < image.height; ++y) {
        const int top = std::max(0, y - radius);
        const int bottom = std::min(image.height, y + radius + 1);
        window.clear();
        for (int x = 0; x < std::min(image.width, radius); ++x)
            window.change_column(image, x, top, bottom, 1);
        for (int x = 0; x < image.width; ++x) {
            if (x + radius < image.width) window.change_column(image, x + radius, top, bottom, 1);
            if (x - radius > 0) window.change_column(image, x - radius - 1, top, bottom, -1);
            result.at(x, y) = static_cast<std::uint8_t>(window.median());
        }
    }
    return result;
}

/// 256 in the middle of a row, less towards its ends.
std::int64_t middle_weight(int i, int length) {
    const std::int64_t both = length + std::int64_t{1};
    return 1024 * (i + std::int64_t{1}) * (length - i) / (both * both);
}

/// The sum of the cubes of all differences from the medians of their surroundings: negative if there is less
/// that is dark, but much darker. A drawing is rather in the middle than at the edge.
double skewness(const Image& image) {
    const Image cells = scale_area(image, reduced_size(image, median_cells));
    const Image medians = local_medians(cells, std::min(cells.width, cells.height) * 3 / 10);
    std::vector<std::int64_t> sums(medians.pixels.size());
    for (int y = 0; y < image.height; ++y) {
        const std::int64_t row = std::int64_t{y} * cells.height / image.height;
        for (int x = 0; x < image.width; ++x) {
            const auto cell =
                static_cast<std::size_t>((row * cells.width) + (std::int64_t{x} * cells.width / image.width));
            const std::int64_t apart = std::int64_t{image.at(x, y)} - medians.pixels[cell];
            sums[cell] += apart * apart * apart;
        }
    }
    double sum = 0;
    for (int y = 0; y < cells.height; ++y) {
        for (int x = 0; x < cells.width; ++x) {
            const std::int64_t weight = middle_weight(x, cells.width) * middle_weight(y, cells.height);
            const std::size_t cell = (static_cast<std::size_t>(y) * static_cast<std::size_t>(cells.width)) +
                                     static_cast<std::size_t>(x);
            sum += static_cast<double>(weight) * static_cast<double>(sums[cell]);
        }
    }
    return sum;
}

} // namespace

bool background_is_light(const Image& image, int threshold) {
    PixelCount border;
    for_border(image, [&](std::uint8_t value) { border.count(value, threshold); });
    if (const std::optional<bool> light = border.is_above(75)) return *light;
    PixelCount whole;
    for (const std::uint8_t v : image.pixels) whole.count(v, threshold);
    return 2 * whole.above > whole.all;
}

bool photographed_background_is_light(const Image& image) {
    const Image cells = scale_area(image, reduced_size(image, border_cells));
    if (const std::optional<bool> light = border_is_light(cells)) return *light;
    return skewness(image) < 0;
}

} // namespace sprig
