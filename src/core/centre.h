#pragma once

#include "sprig/image.h"

namespace sprig {

/// Where `centre_by_mass` puts the upper left corner of an image.
struct CentredCorner {
    int left = 0;
    int top = 0;
};
[[nodiscard]] CentredCorner centred_corner(const Image& image, int side);

/// Places an image in an empty square with its centre of mass in the middle, but never over the edge. The
/// middle is the centre of pixel side / 2, as in MNIST. The image must fit into the square.
[[nodiscard]] Image centre_by_mass(const Image& image, int side);

} // namespace sprig
