#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sprig/image.h"

namespace sprig::test {

/// An image from rows of text: '#' is ink, anything else background.
inline Image from_art(const std::vector<std::string>& rows) {
    std::size_t width = 0;
    for (const std::string& row : rows) width = std::max(width, row.size());
    Image image(static_cast<int>(width), static_cast<int>(rows.size()));
    for (std::size_t y = 0; y < rows.size(); ++y) {
        for (std::size_t x = 0; x < rows[y].size(); ++x) {
            if (rows[y][x] == '#') image.at(static_cast<int>(x), static_cast<int>(y)) = 255;
        }
    }
    return image;
}

/// The image inside a larger empty one, at (x, y).
inline Image placed(const Image& image, int x, int y, int width, int height) {
    Image result(width, height);
    for (int j = 0; j < image.height; ++j) {
        for (int i = 0; i < image.width; ++i) result.at(x + i, y + j) = image.at(i, j);
    }
    return result;
}

inline Image mirrored(const Image& image) {
    Image result(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) result.at(image.width - 1 - x, y) = image.at(x, y);
    }
    return result;
}

/// Rotated clockwise by 90 degrees: (x, y) moves to (height - 1 - y, x).
inline Image turned(const Image& image) {
    Image result(image.height, image.width);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) result.at(image.height - 1 - y, x) = image.at(x, y);
    }
    return result;
}

/// A random shape: random pixels, lines of one pixel, blobs, or a mixture.
inline Image random_shape(std::uint32_t seed, int side) {
    std::mt19937 random(seed);
    const auto below = [&](int limit) {
        return static_cast<int>(random() % static_cast<std::uint32_t>(limit));
    };
    Image image(side, side);
    const int kind = below(4);
    if (kind == 0 || kind == 3) {
        const int share = 5 + below(90);
        for (std::uint8_t& v : image.pixels) v = below(100) < share ? 255 : 0;
    }
    if (kind == 1 || kind == 3) {
        for (int line = 2 + below(6); line > 0; --line) {
            int x = below(side);
            int y = below(side);
            for (int steps = below(2 * side); steps > 0; --steps) {
                image.at(x, y) = 255;
                x = std::clamp(x + below(3) - 1, 0, side - 1);
                y = std::clamp(y + below(3) - 1, 0, side - 1);
            }
        }
    }
    if (kind == 2) {
        for (int blob = 1 + below(6); blob > 0; --blob) {
            const int cx = below(side);
            const int cy = below(side);
            const int rx = 1 + below(side / 2);
            const int ry = 1 + below(side / 2);
            const std::uint8_t value = below(3) == 0 ? 0 : 255;
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const int dx = (x - cx) * ry;
                    const int dy = (y - cy) * rx;
                    if ((dx * dx) + (dy * dy) <= rx * rx * ry * ry) image.at(x, y) = value;
                }
            }
        }
    }
    return image;
}

} // namespace sprig::test
