#pragma once

#include "sprig/image.h"

namespace sprig {

/// Ink whose pen has been evened out.
struct EvenedPen {
    Image ink;
    double widened = 0; ///< in px of the image before; negative if narrowed
};

/// Evens out the width of the pen, so that it does not matter which one a drawing was made with. Solid shapes
/// are not changed. `soft` has soft edges: 0 is background, 255 ink. Ink smaller than twice the box is
/// enlarged smoothly first, so that a pen of one px can be changed by less than that.
[[nodiscard]] EvenedPen even_pen(const Image& soft, int box);

} // namespace sprig
