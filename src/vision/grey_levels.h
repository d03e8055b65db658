#pragma once

#include <array>
#include <cstdint>

#include "sprig/image.h"

namespace sprig {

/// Black for a picture whose opaque parts are light, white otherwise: what is drawn must stand out.
[[nodiscard]] std::uint8_t paper_for(const Picture& picture);

using Histogram = std::array<std::int64_t, 256>;
[[nodiscard]] Histogram histogram_of(const Image& image);

/// Otsu's threshold: the level that parts the grey levels into two classes (at most it, and above) whose
/// means lie furthest apart, weighed by their sizes.
[[nodiscard]] int otsu(const Histogram& histogram);

/// The level up to which the given share (in percent) of the pixels from `from` to `to` lies; -1 if there
/// are none.
[[nodiscard]] int percentile(const Histogram& histogram, int from, int to, std::int64_t percent);

} // namespace sprig
