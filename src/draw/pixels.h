#pragma once

#include <string>
#include <vector>

#include "draw/svg.h"
#include "sprig/image.h"

namespace sprig::draw {

/// A picture as a `data:` address, a PNG inside the SVG: dark ink on white, as on paper. Stored without
/// compression, so that its bytes do not depend on the version of a compressor.
[[nodiscard]] std::string data_uri(const Image& image);

/// A person's picture in its own colours, transparent parts white. One that is longer than `longest` px is
/// made smaller: the figure is no place for a photograph's megabytes.
[[nodiscard]] std::string data_uri(const Picture& picture, int longest);

/// The ink of a black and white image as rectangles, one unit per pixel, its corner at (0, 0). An outline
/// can take any colour, and stays sharp at every size and in print.
[[nodiscard]] PathData ink_outline(const Image& binarized);

/// The pixels of one grey.
struct GreyOutline {
    std::string colour;
    PathData outline;
};

/// A grey image in the same way, one outline for every grey that is not the paper's.
[[nodiscard]] std::vector<GreyOutline> grey_outlines(const Image& image);

} // namespace sprig::draw
