#pragma once

#include <cstdint>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// How far rows move per row, found from the second moments of the grey levels: mu_xy / mu_yy, held
/// within -1 and 1; 0 where there is nothing to measure.
struct Slant {
    double shear = 0;
    double centre_y = 0;
};
[[nodiscard]] Slant measure_slant(ImageView image);

/// Enlarges images, and sets them upright, bilinearly and in one step. Beyond the border lies background.
/// Coordinates and weights are whole numbers (in 1/65536 px), so the result is the same on every machine.
class Resampler {
  public:
    /// `result` keeps its memory, as this keeps its own.
    void run(ImageView image, int scale, const Slant& slant, Image& result);

  private:
    std::vector<std::int64_t> columns_; ///< where each column of the result lies in the image
    std::vector<std::int64_t> row_;
};

} // namespace sprig
