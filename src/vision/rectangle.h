#pragma once

namespace sprig {

/// A rectangle of pixels of an image.
struct Rectangle {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;

    bool operator==(const Rectangle&) const = default;
};

} // namespace sprig
