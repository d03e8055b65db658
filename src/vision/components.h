#pragma once

#include <cstdint>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// The connected components of the ink of an image, as runs. A pixel is connected to its eight neighbours.
struct Components {
    /// Pixels `begin` to `end` - 1 of row `y` are ink, the pixels before and after are not.
    struct Run {
        int y = 0;
        int begin = 0;
        int end = 0;
    };
    /// One component: its number of pixels and its bounds. `right` and `bottom` are outside.
    struct Part {
        std::int64_t area = 0;
        int left = 0;
        int top = 0;
        int right = 0;
        int bottom = 0;

        bool operator==(const Part&) const = default;
    };

    std::vector<Run> runs;              ///< by row, then from left to right
    std::vector<std::uint32_t> part_of; ///< by run: index of its component
    std::vector<Part> parts;            ///< in the order of their first runs
};

/// The components of the pixels above the threshold.
[[nodiscard]] Components find_components(ImageView image, int threshold);

} // namespace sprig
