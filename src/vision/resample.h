#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sprig/front_end.h"
#include "sprig/image.h"
#include "vision/binary_image.h"
#include "vision/ink_parts.h"

namespace sprig {

/// The slant, from the second moments of the grey levels: mu_xy / (mu_yy + damping * mu_xx), clamped to
/// [-1, 1]; 0 if undefined.
[[nodiscard]] Slant measure_slant(ImageView image, double damping = 0);
/// The same, of the pixels of these runs only.
[[nodiscard]] Slant measure_slant(ImageView image, std::span<const InkParts::Run> runs, double damping);

/// Enlarges and deskews images in one step, with bilinear interpolation, and applies a threshold. Pixels
/// outside the image are background. Coordinates and weights are integers (in 1/65536 px), so the result is
/// the same on every machine.
///
/// A pixel of the result lies in a cell between four pixels of the image. If all four are ink, it is ink, and
/// if none is, it is not. Only the pixels of the other cells are interpolated: those that a contour crosses.
class Resampler {
  public:
    /// Ink is where the interpolated value, rounded, is greater than the threshold.
    void run(ImageView image, int scale, const Slant& slant, int threshold, BinaryImage& result);

  private:
    /// Four pixels and the cell between them.
    struct Cell {
        std::int64_t upper_left = 0;
        std::int64_t upper_right = 0;
        std::int64_t lower_left = 0;
        std::int64_t lower_right = 0;
    };

    void find_cells(ImageView image, int upper);
    void draw_row(std::int64_t shift, std::int64_t weight, std::span<std::uint64_t> bits) const;
    [[nodiscard]] std::int64_t first_column(std::int64_t source_x) const;

    /// A run of full cells, or one that a contour crosses.
    struct Piece {
        int begin = 0; ///< cell from the pixel before column `begin` to column `begin`
        int end = 0;
        bool is_full = false;
        Cell cell; ///< of a piece that is not full
    };

    int scale_ = 1;
    int threshold_ = 0;
    BinaryImage source_;
    std::vector<std::int64_t> columns_; ///< position in the image of each column of the result
    std::array<std::int64_t, 16> phases_ =
        {};                     ///< positions of the columns of one pixel of the image, from 0 on
    std::vector<Piece> pieces_; ///< between two rows of the image, without the empty cells
};

} // namespace sprig
