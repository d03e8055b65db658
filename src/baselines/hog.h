#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sprig::baselines {

// Histograms of oriented gradients (Dalal and Triggs, 2005): in which directions the grey levels change, cell
// by cell. Directions that differ by half a turn are one.
inline constexpr std::size_t hog_cell = 7;        ///< px along the side of a cell
inline constexpr std::size_t hog_block_cells = 2; ///< along the side of a block; blocks begin at every cell
inline constexpr std::size_t hog_bins = 9;        ///< of 20 degrees; the first is about 10 degrees

/// How many numbers there are for an image of so many px along its side. Throws Error(usage) if it is not
/// made of whole cells, enough of them for one block.
[[nodiscard]] std::size_t hog_size(std::size_t side);

/// Those of a square image: block by block, in it cell by cell (rows from the top, each from the left), in it
/// bin by bin. A block is of unit length, or all zero where nothing changes.
[[nodiscard]] std::vector<float> hog(std::span<const float> image, std::size_t side);

} // namespace sprig::baselines
