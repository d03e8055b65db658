#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sprig {

/// A grey image that somebody else owns: 0 is background, 255 is ink, rows from top to bottom.
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

/// A picture as a person's file holds it, before we know what in it is ink: 1 channel is grey, 2 grey
/// and alpha, 3 red, green and blue, 4 those and alpha; interleaved, rows from top to bottom.
struct Picture {
    int width = 0;
    int height = 0;
    int channels = 1;
    std::vector<std::uint8_t> pixels;

    bool operator==(const Picture&) const = default;
};

/// The grey levels of a picture as they are: 255 is taken for ink (with `invert`: 0), transparency for
/// background. Throws Error(bad_input) if the picture's numbers do not fit together.
[[nodiscard]] Image grey(const Picture& picture, bool invert = false);

/// The grey levels of a picture laid on paper of the given shade.
[[nodiscard]] Image on_paper(const Picture& picture, std::uint8_t paper);

/// How light a pixel of 1 to 4 channels is, whatever its alpha.
[[nodiscard]] std::uint8_t luminance(const std::uint8_t* pixel, int channels);

} // namespace sprig
