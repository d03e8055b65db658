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

/// How far the edge of a stroke is moved: by a px, or half way there, which moves soft edges only.
enum class Step : std::uint8_t { half, whole };
/// An image with wider strokes: each pixel becomes as dark as the darkest of it and its four neighbours.
[[nodiscard]] Image thicker(ImageView image, Step step);
/// An image with narrower strokes, likewise. One that would have no ink left stays as it is.
[[nodiscard]] Image thinner(ImageView image, Step step);

/// An image with noise of a bell's shape on all pixels, clipped to the grey levels that there are. The same
/// key gives the same noise everywhere.
[[nodiscard]] Image with_noise(ImageView image, double deviation, std::uint64_t key);
/// An image in which a share of all pixels is ink or blank, each as likely, whatever it was before.
[[nodiscard]] Image with_specks(ImageView image, double share, std::uint64_t key);

/// A mountain with a second summit and small shoulders, 64 x 64 px: bumps of several sizes on one outline, to
/// show what coarsening does with them.
[[nodiscard]] Image mountain();

} // namespace sprig::lab
