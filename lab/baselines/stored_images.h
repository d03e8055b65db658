#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

// Histograms of oriented gradients (Dalal and Triggs, 2005), with unsigned directions.
inline constexpr std::size_t hog_cell = 7; ///< side length of a cell in px
inline constexpr std::size_t hog_block_cells =
    2; ///< side length of a block in cells; blocks overlap, one starts at every cell
inline constexpr std::size_t hog_bins = 9; ///< of 20 degrees; the first is centred at 10 degrees

/// The number of features of an image with this side length. Throws Error(usage) if it cannot be divided into
/// whole cells, or has fewer than one block.
[[nodiscard]] std::size_t hog_size(std::size_t side);

/// The features of a square image, by block, cell (row by row) and bin. A block has unit length, or is all
/// zero if it has no gradients.
[[nodiscard]] std::vector<float> hog(std::span<const float> image, std::size_t side);

/// All past images, for methods that keep them. A pixel takes one byte, and so does a label.
class StoredImages {
  public:
    /// Throws Error(usage) if there are more than 256 classes.
    explicit StoredImages(const Task& task);

    void add(const Samples& images, std::size_t label);

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    [[nodiscard]] std::size_t label(std::size_t i) const { return labels_[i]; }
    [[nodiscard]] std::span<const std::uint8_t> pixels(std::size_t i) const {
        return std::span(pixels_).subspan(i * width_, width_);
    }
    [[nodiscard]] MemoryUse memory_use() const;

  private:
    std::size_t width_;
    std::vector<std::uint8_t> pixels_;
    std::vector<std::uint8_t> labels_;
};

/// Converts pixels from 0 to 1 to the nearest grey level.
void to_grey(std::span<const float> pixels, std::span<std::uint8_t> grey);

/// The squared distance, in integers so that ties are exact. 32 bits suffice for 66,000 numbers.
[[nodiscard]] std::uint32_t distance(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

// References that are not continual learners: they store all images, and are fitted again when a prediction
// follows new images. They predict only classes that they have seen, and class 0 before that.

struct SupportVectorOptions {
    double cost = 1;  ///< C
    double gamma = 0; ///< of the radial kernel, exp(-gamma d^2); 0: a linear kernel
};

/// A support vector machine on pixels.
[[nodiscard]] std::unique_ptr<Strategy> make_pixel_support_vectors(const Task& task,
                                                                   const SupportVectorOptions& options);
/// The same on histograms of oriented gradients.
[[nodiscard]] std::unique_ptr<Strategy> make_hog_support_vectors(const Task& task,
                                                                 const SupportVectorOptions& options);

} // namespace sprig::baselines
