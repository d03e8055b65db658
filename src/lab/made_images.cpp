#include "lab/made_images.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "random/keyed.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

constexpr int side = 28;
constexpr int blurs = 3; ///< a box three times is nearly a bell

std::vector<double> raw_noise(std::uint64_t key) {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < std::uint64_t{side} * side; ++i)
        values.push_back(random::uniform(random::mix(key, i)));
    return values;
}

/// The mean of each pixel and its neighbours; beyond the border there are none.
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

/// The greatest values as ink.
Image greatest(const std::vector<double>& values, double share) {
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
    return greatest(values, share);
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

/// The value between four pixels; beyond the border there is nothing.
double between(ImageView image, double x, double y) {
    const int left = static_cast<int>(std::floor(x));
    const int top = static_cast<int>(std::floor(y));
    const double u = x - left;
    const double v = y - top;
    return ((1 - v) * (((1 - u) * pixel(image, left, top)) + (u * pixel(image, left + 1, top)))) +
           (v * (((1 - u) * pixel(image, left, top + 1)) + (u * pixel(image, left + 1, top + 1))));
}

} // namespace

Image turned(ImageView image, double angle, bool mirrored) {
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
            const double value = between(image, from_x, across + ((image.height - 1) / 2.0));
            result.at(x, y) = static_cast<std::uint8_t>(std::lround(value));
        }
    }
    return result;
}

} // namespace sprig::lab
