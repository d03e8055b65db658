#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// A binary image in two forms: one byte per pixel (255 is ink, 0 is background), for looking at neighbours,
/// and one bit per pixel, for counting. Every pixel has neighbours in memory: there is background above and
/// below the image and after each row, which is also what lies before the next one. Reuses its memory.
class BinaryImage {
  public:
    /// Ink is where the value is greater than the threshold.
    void threshold(ImageView image, int threshold);

    /// Starts an image of this size without ink, to be drawn through `bits` and finished.
    void start(int width, int height);
    /// The bits of a row: bit 0 of the first word is the leftmost pixel.
    [[nodiscard]] std::span<std::uint64_t> bits(int y) {
        return {bits_.data() + (static_cast<std::size_t>(y) * words_), words_};
    }
    [[nodiscard]] std::span<const std::uint64_t> bits(int y) const {
        return {bits_.data() + (static_cast<std::size_t>(y) * words_), words_};
    }
    /// Computes the bytes from the bits.
    void finish();

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    /// Distance in memory from a pixel to the one below it: a power of two, at least 16, so that the
    /// coordinates of a pixel are bits of its index.
    [[nodiscard]] int stride() const { return 1 << stride_bits_; }
    [[nodiscard]] unsigned stride_bits() const { return stride_bits_; }
    /// The part of a row that is used: the pixels and the background after them, in groups of 16.
    [[nodiscard]] int padded_width() const { return padded_width_; }
    [[nodiscard]] const std::uint8_t* row(int y) const { return bytes_.data() + offset(y); }
    /// The rows from the first with ink to the last, exclusive. Equal if there is no ink.
    [[nodiscard]] int top() const { return top_; }
    [[nodiscard]] int bottom() const { return bottom_; }

  private:
    void reshape(int width, int height);
    [[nodiscard]] std::uint8_t* mutable_row(int y) { return bytes_.data() + offset(y); }
    [[nodiscard]] std::ptrdiff_t offset(int y) const {
        return ((std::ptrdiff_t{y} + 1) << stride_bits_) + margin;
    }
    void find_top_and_bottom();

    static constexpr std::ptrdiff_t margin = 16; ///< before the first padding row and after the last

    int width_ = 0;
    int height_ = 0;
    int padded_width_ = 0;
    unsigned stride_bits_ = 0;
    int top_ = 0;
    int bottom_ = 0;
    std::vector<std::uint8_t> bytes_;
    std::size_t words_ = 0;           ///< of bits per row
    std::vector<std::uint64_t> bits_; ///< by row
};

} // namespace sprig
