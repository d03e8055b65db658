#pragma once

#include "sprig/image.h"
#include "vision/grid.h"
#include "vision/rectangle.h"

namespace sprig {

/// A size in px.
struct Size {
    int width = 0;
    int height = 0;

    bool operator==(const Size&) const = default;
};

/// The size of an image that is reduced until its shorter side has `shorter` px; its own size if the shorter
/// side has fewer.
[[nodiscard]] Size reduced_size(const Image& image, int shorter);

/// Scales a part of an image by exact area averaging. The sums are integers, so that their order does not
/// matter.
[[nodiscard]] Image scale_area(const Image& image, const Rectangle& part, Size size);
/// The whole image.
[[nodiscard]] Image scale_area(const Image& image, Size size);
/// The same, with a fraction of the levels.
[[nodiscard]] Grid mean_grid(const Image& image, Size size);

/// The mean of each pixel and its eight neighbours. The border is repeated outside.
[[nodiscard]] Image box_blurred(const Image& image);

} // namespace sprig
