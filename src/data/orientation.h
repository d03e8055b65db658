#pragma once

#include "data/files.h"
#include "sprig/image.h"

namespace sprig::data_detail {

/// How a JPEG's camera was held, as its Exif data say: 1 (upright, also if they say nothing) to 8.
[[nodiscard]] int orientation_of(ByteView jpeg);

/// The picture as the photographer saw it.
[[nodiscard]] Picture turned_upright(Picture picture, int orientation);

} // namespace sprig::data_detail
