#pragma once

#include <array>
#include <cstdint>

#include "sprig/image.h"

namespace sprig {

/// The background for transparent parts: black if the opaque parts are light, white otherwise.
[[nodiscard]] std::uint8_t background_for(const Picture& picture);

using Histogram = std::array<std::int64_t, 256>;
[[nodiscard]] Histogram histogram_of(const Image& image);

/// Otsu's threshold: splits the grey levels into two classes (up to the threshold, and above) with the
/// greatest between-class variance.
[[nodiscard]] int otsu(const Histogram& histogram);

/// The percentile of the pixels with levels from `from` to `to`; -1 if there are none.
[[nodiscard]] int percentile(const Histogram& histogram, int from, int to, std::int64_t percent);

} // namespace sprig
