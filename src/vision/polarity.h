#pragma once

#include "sprig/image.h"

namespace sprig {

/// Whether the background of a clean picture is lighter than the threshold: decided by the border or, if that
/// is mixed, by the majority of all pixels.
[[nodiscard]] bool background_is_light(const Image& image, int threshold);

/// Whether the background of a photograph is lighter than its ink. If the border has one shade, that is the
/// background. Otherwise it is what most of the surroundings of each point have, so that a shadow
/// across the picture does not matter.
[[nodiscard]] bool photographed_background_is_light(const Image& image);

} // namespace sprig
