#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sprig {

/// A view of a grey image: 0 is background, 255 is ink, rows from top to bottom. It does not own the pixels.
struct ImageView {
    const std::uint8_t* pixels = nullptr;
    int width = 0;
    int height = 0;

    [[nodiscard]] std::uint8_t at(int x, int y) const {
        return pixels[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width)) +
                      static_cast<std::size_t>(x)];
    }
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};

/// A grey image that owns its pixels: 0 is background, 255 is ink.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;

    Image() = default;
    Image(int w, int h, std::uint8_t value = 0) { reshape(w, h, value); }
    explicit Image(ImageView view)
        : width(view.width), height(view.height), pixels(view.pixels, view.pixels + view.size()) {}

    void reshape(int w, int h, std::uint8_t value = 0) {
        width = w;
        height = h;
        pixels.assign(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), value);
    }
    [[nodiscard]] std::uint8_t at(int x, int y) const { return view().at(x, y); }
    std::uint8_t& at(int x, int y) {
        return pixels[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width)) +
                      static_cast<std::size_t>(x)];
    }
    [[nodiscard]] ImageView view() const { return {pixels.data(), width, height}; }

    bool operator==(const Image&) const = default;
};

/// A picture as decoded from a file, before it is known which pixels are ink. Channels: 1 is grey, 2 is grey
/// and alpha, 3 is RGB, 4 is RGBA; interleaved, rows from top to bottom.
struct Picture {
    int width = 0;
    int height = 0;
    int channels = 1;
    std::vector<std::uint8_t> pixels;

    bool operator==(const Picture&) const = default;
};

/// Converts a picture to grey levels without normalising it: 255 is ink (with `invert`: 0), and transparent
/// pixels become background. Throws Error(bad_input) if the dimensions, channels and number of bytes do not
/// match.
[[nodiscard]] Image to_grey(const Picture& picture, bool invert = false);

/// The grey levels of a picture over a background of the given grey level.
[[nodiscard]] Image composite_over(const Picture& picture, std::uint8_t background);

/// The luminance of a pixel with 1 to 4 channels; alpha is ignored.
[[nodiscard]] std::uint8_t luminance(const std::uint8_t* pixel, int channels);

} // namespace sprig
