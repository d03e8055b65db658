#pragma once

#include "sprig/image.h"

namespace sprig {

/// The grey levels of a picture whose ink is light.
struct InkLevels {
    int threshold = 0; ///< ink is above it
    int paper = -1;    ///< median; -1 if no level is up to the threshold
    int ink = -1;      ///< of full ink; -1 if no level is above the threshold
    double noise = 0;  ///< standard deviation of the paper, from its median deviation

    [[nodiscard]] bool are_found() const { return paper >= 0 && ink >= 0; }
    [[nodiscard]] int contrast() const { return ink - paper; }
};

/// The levels of a clean picture, such as a rendered one.
[[nodiscard]] InkLevels clean_ink_levels(const Image& light, int threshold);

/// The levels of a photograph. Otsu's threshold is found again from what is near the ink, so that the size of
/// the paper does not matter. The result is half way between paper and ink, which does not depend on the
/// width of the strokes.
[[nodiscard]] InkLevels photographed_ink_levels(const Image& light);

/// How far from ink pixels are near it, in px.
[[nodiscard]] int near_reach(const Image& picture);
/// 255 where a level above the threshold is at most `reach` px away in x and in y, 0 elsewhere.
[[nodiscard]] Image near_ink(const Image& light, int threshold, int reach);

} // namespace sprig
