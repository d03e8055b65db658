#pragma once

#include <cstdint>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// The shift per row, from the second moments of the grey levels: mu_xy / mu_yy, clamped to [-1, 1]; 0 if
/// undefined.
struct Slant {
    double shear = 0;
    double centre_y = 0;
};
[[nodiscard]] Slant measure_slant(ImageView image);

/// Enlarges and deskews images in one step, with bilinear interpolation. Pixels outside the image are
/// background. Coordinates and weights are integers (in 1/65536 px), so the result is the same on every
/// machine.
class Resampler {
  public:
    /// Reuses the memory of `result`.
    void run(ImageView image, int scale, const Slant& slant, Image& result);

  private:
    std::vector<std::int64_t> columns_; ///< position in the image of each column of the result
    std::vector<std::int64_t> row_;
};

} // namespace sprig
