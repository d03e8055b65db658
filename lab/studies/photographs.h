#pragma once

#include <cstdint>

#include "sprig/image.h"

namespace sprig::lab::photographs {

/// What makes a photograph of a drawing differ from the drawing. Without any of it, dark ink on light paper
/// in even light.
struct Conditions {
    enum class Paper { plain, ruled, squared };

    double gradient = 0;    ///< fall of the light across the picture, in grey levels of the paper
    double shadow = 0;      ///< darkness of a shadow with an edge across the picture, the same
    double vignette = 0;    ///< fall of the light from the middle to the corners, the same
    double blur = 0;        ///< standard deviation, in percent of the longer side of the ink
    double noise = 0;       ///< standard deviation, in grey levels
    int jpeg = 0;           ///< quality; 0: not compressed
    double perspective = 0; ///< tilt of the camera, in degrees
    Paper paper = Paper::plain;
    double lines = 0;  ///< contrast of the lines of the paper, in grey levels
    double border = 0; ///< share of the picture on two sides that shows a dark table
    double size = 0.6; ///< longer side of the ink in shares of the picture's shorter side
    bool light_on_dark = false;
};

/// The height of a photograph, which is its shorter side, and its width, in px.
inline constexpr int picture_height = 480;
inline constexpr int picture_width = 560;

/// A photograph of a drawing, whose ink is 255; of a blank sheet if it has no ink. What the conditions leave
/// open, such as directions and places, is drawn from the key.
[[nodiscard]] Picture photograph(const Image& drawing, const Conditions& conditions, std::uint64_t key);

/// A digit of MNIST, enlarged ten times and with sharp edges, as a pen would have drawn it.
[[nodiscard]] Image as_drawn_with_a_pen(ImageView digit);

} // namespace sprig::lab::photographs
