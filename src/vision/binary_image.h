#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// A binary image in two forms that are kept equal: one byte per pixel (255 is ink, 0 is background), for
/// looking at neighbours, and one bit per pixel, for counting and for finding runs. Every pixel has
/// neighbours in memory: there is background above and below the image and after each row, which is also what
/// lies before the next one. Reuses its memory.
class BinaryImage {
  public:
    /// Ink is where the value is greater than the threshold.
    void threshold(ImageView image, int threshold);

    /// Starts an image of this size. Every row must then be written through `row` and `finish_row`.
    void reshape(int width, int height);
    /// The bytes of a row, to be filled in with 0 or 255.
    [[nodiscard]] std::uint8_t* row(int y) { return pixels() + offset(y); }
    /// Computes the bits of a row from its bytes.
    void finish_row(int y);

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    /// Distance in memory from a pixel to the one below it: a multiple of 16.
    [[nodiscard]] int stride() const { return stride_; }
    /// The first pixel of the image.
    [[nodiscard]] const std::uint8_t* pixels() const { return bytes_.data() + first_pixel(); }
    [[nodiscard]] const std::uint8_t* row(int y) const { return pixels() + offset(y); }
    /// The bits of a row; bit 0 of the first word is the leftmost pixel.
    [[nodiscard]] std::span<const std::uint64_t> bits(int y) const {
        return {bits_.data() + (static_cast<std::size_t>(y) * words_), words_};
    }
    /// The rows from the first with ink to the last, exclusive. Equal if there is no ink.
    [[nodiscard]] int top() const { return top_; }
    [[nodiscard]] int bottom() const { return bottom_; }

  private:
    [[nodiscard]] std::uint8_t* pixels() { return bytes_.data() + first_pixel(); }
    [[nodiscard]] std::size_t first_pixel() const { return static_cast<std::size_t>(stride_) + margin; }
    [[nodiscard]] std::ptrdiff_t offset(int y) const { return static_cast<std::ptrdiff_t>(y) * stride_; }
    void set_bits(int y, std::size_t word, std::uint64_t bits);

    static constexpr std::size_t margin = 16; ///< before the first padding row and after the last

    int width_ = 0;
    int height_ = 0;
    int stride_ = 0;
    std::size_t words_ = 0; ///< per row
    int top_ = 0;
    int bottom_ = 0;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint64_t> bits_;
};

/// A horizontal run of ink, from `begin` to `end`, exclusive.
struct InkRun {
    int begin = 0;
    int end = 0;
};

/// Calls `visit(InkRun)` for the runs of a row, from left to right.
template <class Visit>
void for_each_run(std::span<const std::uint64_t> bits, Visit visit) {
    constexpr int word_bits = 64;
    int begin = -1; // of a run that reaches the end of the word before
    int base = 0;
    for (std::uint64_t word : bits) {
        if (begin >= 0) { // it ends at the first zero
            const int length = std::countr_one(word);
            if (length == word_bits) {
                base += word_bits;
                continue;
            }
            visit(InkRun{begin, base + length});
            begin = -1;
            word &= ~std::uint64_t{0} << static_cast<unsigned>(length);
        }
        while (word != 0) {
            const std::uint64_t after = word + (word & -word); // carries through the run
            const int from = std::countr_zero(word);
            if (after == 0) {
                begin = base + from;
                break;
            }
            visit(InkRun{base + from, base + std::countr_zero(after)});
            word &= after;
        }
        base += word_bits;
    }
    if (begin >= 0) visit(InkRun{begin, base});
}

} // namespace sprig
