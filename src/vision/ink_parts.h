#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vision/binary_image.h"
#include "vision/ink_moments.h"
#include "vision/ink_runs.h"

namespace sprig {

/// The ink of a binary image without its specks. A part is what hangs together, with diagonals. Reuses its
/// memory.
class InkParts {
  public:
    /// A horizontal run of ink: pixels `begin` to `end` - 1 of row `y`.
    struct Run {
        int y = 0;
        int begin = 0;
        int end = 0;
    };

    /// Finds the parts that have at least this share of the pixels of the largest part.
    void find(const BinaryImage& image, double min_share);

    /// The runs of these parts, in raster order.
    [[nodiscard]] std::span<const Run> runs() const { return kept_; }
    /// Their moments.
    [[nodiscard]] InkMoments moments() const;

  private:
    void join_rows(std::size_t above, std::size_t begin, std::size_t end);
    void join(std::size_t a, std::size_t b);
    [[nodiscard]] std::uint32_t root_of(std::size_t run);
    [[nodiscard]] std::int64_t measure_parts();

    InkRuns runs_;
    std::vector<std::uint32_t> parent_; ///< by run: a forest. Every run but a root comes after its parent
    std::vector<std::int64_t> area_;    ///< by run: of a root, the number of pixels of its part
    std::vector<Run> kept_;
};

} // namespace sprig
