#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vision/binary_image.h"

namespace sprig {

/// A horizontal run of ink.
struct InkRun {
    std::uint16_t begin = 0;
    std::uint16_t last = 0; ///< inclusive

    bool operator==(const InkRun&) const = default;
};

/// The runs of ink of a binary image. Reuses its memory.
class InkRuns {
  public:
    void find(const BinaryImage& image);

    /// The runs of all rows, in raster order.
    [[nodiscard]] std::span<const InkRun> all() const { return {runs_.data(), count_}; }
    /// The index of the first run of a row, which is also the end of the row before.
    [[nodiscard]] std::size_t first(int y) const { return first_[static_cast<std::size_t>(y)]; }
    /// The run of ink that a pixel belongs to.
    [[nodiscard]] std::size_t at(int x, int y) const;

  private:
    std::vector<InkRun> runs_; ///< with room for more
    std::size_t count_ = 0;
    std::vector<std::uint32_t> first_; ///< by row, and one more
};

} // namespace sprig
