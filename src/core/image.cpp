#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/image.h"

namespace sprig {

namespace {

void check(const Picture& picture) {
    const auto needed = static_cast<std::size_t>(std::max(picture.width, 0)) *
                        static_cast<std::size_t>(std::max(picture.height, 0)) *
                        static_cast<std::size_t>(std::max(picture.channels, 0));
    if (needed == 0 || picture.channels > 4 || picture.pixels.size() != needed) {
        throw bad_input(fmt::format("invalid picture of {} x {} px with {} channels and {} bytes",
                                    picture.width, picture.height, picture.channels, picture.pixels.size()));
    }
}

} // namespace

std::uint8_t luminance(const std::uint8_t* pixel, int channels) {
    if (channels < 3) return pixel[0];
    return static_cast<std::uint8_t>(((299 * pixel[0]) + (587 * pixel[1]) + (114 * pixel[2]) + 500) / 1000);
}

Image composite_over(const Picture& picture, std::uint8_t background) {
    check(picture);
    Image image(picture.width, picture.height);
    if (picture.channels == 1) {
        image.pixels = picture.pixels;
        return image;
    }
    if (picture.channels == 3) {
        const std::uint8_t* pixel = picture.pixels.data();
        for (std::uint8_t& level : image.pixels) {
            level = luminance(pixel, 3);
            pixel += 3;
        }
        return image;
    }
    const auto channels = static_cast<std::size_t>(picture.channels);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const std::uint8_t* pixel = picture.pixels.data() + (i * channels);
        const int alpha = pixel[channels - 1];
        image.pixels[i] = static_cast<std::uint8_t>(
            ((luminance(pixel, picture.channels) * alpha) + (background * (255 - alpha)) + 127) / 255);
    }
    return image;
}

Image to_grey(const Picture& picture, bool invert) {
    Image image = composite_over(picture, invert ? 255 : 0);
    if (invert) {
        for (std::uint8_t& v : image.pixels) v = static_cast<std::uint8_t>(255 - v);
    }
    return image;
}

} // namespace sprig
