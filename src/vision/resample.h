#pragma once

#include "sprig/image.h"

namespace sprig {

/// How far rows move per row, found from the second moments of the grey levels: mu_xy / mu_yy, held
/// within -1 and 1; 0 where there is nothing to measure.
struct Slant {
    double shear = 0;
    double centre_y = 0;
};
[[nodiscard]] Slant measure_slant(ImageView image);

/// Enlarges an image `scale` times, bilinearly, and sets it upright by `slant` in the same step.
/// Beyond the border lies background. Coordinates and weights are whole numbers (in 1/65536 px), so the
/// result is the same on every machine. `result` keeps its memory.
void resample(ImageView image, int scale, const Slant& slant, Image& result);

} // namespace sprig
