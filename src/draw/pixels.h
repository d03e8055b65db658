#pragma once

#include <string>
#include <vector>

#include "draw/svg.h"
#include "sprig/image.h"

namespace sprig::draw {

/// An image as a `data:` URI with a PNG, dark ink on white. Not compressed, so that the bytes do not depend
/// on the version of zlib.
[[nodiscard]] std::string data_uri(const Image& image);

/// A user's picture in colour, on white. It is scaled down to at most `longest` px to keep figures small.
[[nodiscard]] std::string data_uri(const Picture& picture, int longest);

/// The ink of a binarized image as rectangles, one unit per pixel, with the corner at (0, 0). Outlines stay
/// sharp at every size.
[[nodiscard]] PathData ink_outline(const Image& binarized);

/// The pixels of one grey level.
struct GreyOutline {
    std::string colour;
    PathData outline;
};

/// A grey image as one outline for each grey level except white.
[[nodiscard]] std::vector<GreyOutline> grey_outlines(const Image& image);

} // namespace sprig::draw
