#pragma once

#include <cstdint>

#include "sprig/image.h"

namespace sprig::lab {

/// Images without content. The same kind and number give the same image on every machine.
enum class Noise {
    pixels, ///< independent pixels
    blobs,  ///< the darkest part of blurred noise: random shapes
};
[[nodiscard]] const char* name_of(Noise kind);
/// 28 x 28 px; the amount of ink depends on the number.
[[nodiscard]] Image noise(Noise kind, std::uint64_t number);

/// Centres an image on a larger empty square and shifts it. Throws Error(usage) if a part of it would lie
/// outside.
[[nodiscard]] Image on_canvas(ImageView image, int side, int move_x = 0, int move_y = 0);

/// Rotates an image about its centre (from x towards y) on a canvas of 40 px, which is large enough for any
/// rotation of 28 px. If `mirrored`, it is first mirrored left to right.
[[nodiscard]] Image rotated(ImageView image, double angle, bool mirrored);

/// How far the edge of a stroke is moved: by one px, or half way, which moves soft edges only.
enum class Step : std::uint8_t { half, whole };
/// Widens strokes: each pixel becomes the maximum of itself and its four neighbours.
[[nodiscard]] Image thicker(ImageView image, Step step);
/// Narrows strokes: the same with the minimum. An image that would lose all its ink is not changed.
[[nodiscard]] Image thinner(ImageView image, Step step);

/// Adds Gaussian noise to all pixels, clipped to 0..255. The same key gives the same noise on every machine.
[[nodiscard]] Image with_noise(ImageView image, double deviation, std::uint64_t key);
/// Sets a random share of all pixels to ink or blank, with equal probability.
[[nodiscard]] Image with_specks(ImageView image, double share, std::uint64_t key);

/// A shape of 64 x 64 px that has bumps of several sizes on one contour, to illustrate coarsening.
[[nodiscard]] Image mountain();

} // namespace sprig::lab
