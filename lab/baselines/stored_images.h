#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lab/baselines/strategy.h"

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

/// All past images, for methods that keep them. A pixel is a grey level and takes one byte, so an image of
/// 784 px takes 784 bytes, and its label one more.
class StoredImages {
  public:
    /// Throws Error(usage) if there are more classes than a byte can tell apart.
    explicit StoredImages(const Task& task);

    void add(const Samples& images, std::size_t label);

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    [[nodiscard]] std::size_t label(std::size_t i) const { return labels_[i]; }
    [[nodiscard]] std::span<const std::uint8_t> pixels(std::size_t i) const {
        return std::span(pixels_).subspan(i * width_, width_);
    }
    [[nodiscard]] Kept kept() const;

  private:
    std::size_t width_;
    std::vector<std::uint8_t> pixels_;
    std::vector<std::uint8_t> labels_;
};

/// The grey levels of pixels from 0 to 1; what lies between two levels becomes the nearer one.
void to_grey(std::span<const float> pixels, std::span<std::uint8_t> grey);

// What can be had from the same images by methods that keep them all and begin anew whenever they are asked
// after something new has come: no continual learners, but the measure of what there is to learn. As the
// others they answer only with classes that they have met, and with class 0 before that.

struct SupportVectorOptions {
    double cost = 1;  ///< of an image on the wrong side
    double gamma = 0; ///< how narrow the radial kernel is, exp(-gamma d^2); 0: a linear one
};

/// Support vectors on pixels.
[[nodiscard]] std::unique_ptr<Strategy> make_pixel_support_vectors(const Task& task,
                                                                   const SupportVectorOptions& options);
/// The same on histograms of oriented gradients: with a radial kernel, or a linear one.
[[nodiscard]] std::unique_ptr<Strategy> make_hog_support_vectors(const Task& task,
                                                                 const SupportVectorOptions& options);

} // namespace sprig::baselines
