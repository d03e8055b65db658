#include "lab/studies/synthetic_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/keyed.h"
#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig::lab {

namespace {

constexpr int side = 28;
constexpr int blurs = 3; ///< three box filters approximate a Gaussian

std::vector<double> raw_noise(std::uint64_t key) {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < std::uint64_t{side} * side; ++i)
        values.push_back(random::uniform(random::mix(key, i)));
    return values;
}

/// The mean of each pixel and its neighbours within the image.
std::vector<double> blurred(const std::vector<double>& values) {
    std::vector<double> result;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            double sum = 0;
            int count = 0;
            for (int v = std::max(0, y - 1); v <= std::min(side - 1, y + 1); ++v) {
                for (int u = std::max(0, x - 1); u <= std::min(side - 1, x + 1); ++u, ++count)
                    sum += values[(static_cast<std::size_t>(v) * side) + static_cast<std::size_t>(u)];
            }
            result.push_back(sum / count);
        }
    }
    return result;
}

/// Sets the pixels with the greatest values to ink.
Image ink_at_greatest(const std::vector<double>& values, double share) {
    std::vector<double> order = values;
    std::ranges::sort(order);
    const auto blank = static_cast<std::size_t>((1 - share) * static_cast<double>(values.size()));
    Image image(side, side);
    for (std::size_t i = 0; i < values.size(); ++i) image.pixels[i] = values[i] >= order[blank] ? 255 : 0;
    return image;
}

} // namespace

const char* name_of(Noise kind) {
    return kind == Noise::pixels ? "pixels" : "blobs";
}

Image noise(Noise kind, std::uint64_t number) {
    const std::uint64_t key = random::mix({random::mix("noise"), random::mix(name_of(kind)), number});
    // A digit's ink is a tenth to a quarter of the image.
    const double share = 0.1 + (0.2 * random::uniform(random::mix(key, 1)));
    std::vector<double> values = raw_noise(random::mix(key, 2));
    if (kind == Noise::blobs) {
        for (int i = 0; i < blurs; ++i) values = blurred(values);
    }
    return ink_at_greatest(values, share);
}

Image on_canvas(ImageView image, int canvas, int move_x, int move_y) {
    const int left = ((canvas - image.width) / 2) + move_x;
    const int top = ((canvas - image.height) / 2) + move_y;
    if (left < 0 || top < 0 || left + image.width > canvas || top + image.height > canvas) {
        throw usage_error(fmt::format("an image of {} x {} px, moved by {} and {}, does not lie within {} px",
                                      image.width, image.height, move_x, move_y, canvas));
    }
    Image result(canvas, canvas);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) result.at(left + x, top + y) = image.at(x, y);
    }
    return result;
}

namespace {

double pixel(ImageView image, int x, int y) {
    return x < 0 || y < 0 || x >= image.width || y >= image.height ? 0 : image.at(x, y);
}

/// Bilinear interpolation; 0 beyond the border.
double interpolated(ImageView image, double x, double y) {
    const int left = static_cast<int>(std::floor(x));
    const int top = static_cast<int>(std::floor(y));
    const double u = x - left;
    const double v = y - top;
    return ((1 - v) * (((1 - u) * pixel(image, left, top)) + (u * pixel(image, left + 1, top)))) +
           (v * (((1 - u) * pixel(image, left, top + 1)) + (u * pixel(image, left + 1, top + 1))));
}

} // namespace

Image rotated(ImageView image, double angle, bool mirrored) {
    constexpr int canvas = 40;
    Image result(canvas, canvas);
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    for (int y = 0; y < canvas; ++y) {
        for (int x = 0; x < canvas; ++x) {
            const double off_x = x - ((canvas - 1) / 2.0);
            const double off_y = y - ((canvas - 1) / 2.0);
            const double along = (off_x * cosine) + (off_y * sine);
            const double across = (off_y * cosine) - (off_x * sine);
            const double from_x = (mirrored ? -along : along) + ((image.width - 1) / 2.0);
            const double value = interpolated(image, from_x, across + ((image.height - 1) / 2.0));
            result.at(x, y) = static_cast<std::uint8_t>(std::lround(value));
        }
    }
    return result;
}

namespace {

/// Picks one value of each pixel and its four neighbours; 0 beyond the border.
template <class Pick>
Image of_neighbours(ImageView image, Pick pick) {
    Image result(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            result.at(x, y) = static_cast<std::uint8_t>(
                pick({pixel(image, x, y), pixel(image, x - 1, y), pixel(image, x + 1, y),
                      pixel(image, x, y - 1), pixel(image, x, y + 1)}));
        }
    }
    return result;
}

/// Half way from one image to another, rounded towards the first, so that hard edges do not move.
Image half_way(ImageView from, Image to) {
    for (std::size_t i = 0; i < to.pixels.size(); ++i) {
        const int begin = from.pixels[i];
        to.pixels[i] = static_cast<std::uint8_t>(begin + ((to.pixels[i] - begin) / 2));
    }
    return to;
}

bool has_ink(const Image& image) {
    return std::ranges::any_of(image.pixels, [](int value) { return value > FrontEndParams{}.threshold; });
}

std::uint8_t clipped(double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

/// A standard normal number that depends on the key (Box-Muller).
double standard_normal(std::uint64_t key) {
    const double radius = std::sqrt(-2 * std::log(1 - random::uniform(random::mix(key, 0))));
    return radius * std::cos(2 * std::numbers::pi * random::uniform(random::mix(key, 1)));
}

} // namespace

Image thicker(ImageView image, Step step) {
    Image result = of_neighbours(image, [](std::initializer_list<double> near) { return std::max(near); });
    if (step == Step::half) result = half_way(image, std::move(result));
    return result;
}

Image thinner(ImageView image, Step step) {
    Image result = of_neighbours(image, [](std::initializer_list<double> near) { return std::min(near); });
    if (step == Step::half) result = half_way(image, std::move(result));
    return has_ink(result) ? result : Image(image);
}

Image with_noise(ImageView image, double deviation, std::uint64_t key) {
    Image result(image);
    for (std::size_t i = 0; i < result.pixels.size(); ++i)
        result.pixels[i] = clipped(result.pixels[i] + (deviation * standard_normal(random::mix(key, i))));
    return result;
}

Image with_specks(ImageView image, double share, std::uint64_t key) {
    Image result(image);
    for (std::size_t i = 0; i < result.pixels.size(); ++i) {
        const double drawn = random::uniform(random::mix(key, i));
        if (drawn < share) result.pixels[i] = drawn < share / 2 ? 255 : 0;
    }
    return result;
}

Image mountain() {
    constexpr int canvas = 64;
    constexpr int ground = 54;
    struct Corner {
        int x;
        int y;
    };
    constexpr std::array<Corner, 10> ridge = {
        {{5, 53}, {12, 36}, {16, 40}, {25, 13}, {30, 22}, {36, 8}, {46, 40}, {49, 37}, {52, 43}, {59, 53}}};
    Image image(canvas, canvas);
    for (std::size_t i = 0; i + 1 < ridge.size(); ++i) {
        const Corner from = ridge[i];
        const Corner to = ridge[i + 1];
        for (int x = from.x; x <= to.x; ++x) {
            const int top = from.y + (((to.y - from.y) * (x - from.x)) / (to.x - from.x));
            for (int y = top; y <= ground; ++y) image.at(x, y) = 255;
        }
    }
    return image;
}

} // namespace sprig::lab
