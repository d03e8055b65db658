#pragma once

#include <cstdint>

#include "sprig/image.h"

namespace sprig::lab {

/// Images that show nothing. The same kind and number give the same image everywhere.
enum class Noise {
    pixels, ///< each pixel is ink or not, whatever its neighbours are
    blobs,  ///< noise, blurred, and of that the darkest part: shapes with a size, and of no kind
};
[[nodiscard]] const char* name_of(Noise kind);
/// 28 x 28 px. How much ink there is differs from number to number.
[[nodiscard]] Image noise(Noise kind, std::uint64_t number);

/// An image in the middle of a larger empty square, moved by whole px. Throws Error(usage) if a part of it
/// would lie outside.
[[nodiscard]] Image on_canvas(ImageView image, int side, int move_x = 0, int move_y = 0);

/// An image turned about its middle by an angle (from x towards y), mirrored left to right before that or
/// not, on a canvas of 40 px, where nothing of 28 px is lost.
[[nodiscard]] Image turned(ImageView image, double angle, bool mirrored);

} // namespace sprig::lab
