#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// A horizontal run of ink.
struct InkRun {
    std::uint16_t begin = 0;
    std::uint16_t last = 0; ///< inclusive

    bool operator==(const InkRun&) const = default;
};

/// A binary image in three forms: one byte per pixel (255 is ink, 0 is background), for looking at
/// neighbours; one bit per pixel; and the runs of ink of each row, for counting and for finding the first
/// pixel of a shape. Every pixel has neighbours in memory: there is background above and below the image and
/// after each row, which is also what lies before the next one. Reuses its memory.
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
    /// Computes the other forms from the bits.
    void finish();

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    /// Distance in memory from a pixel to the one below it: a multiple of 16.
    [[nodiscard]] int stride() const { return stride_; }
    [[nodiscard]] const std::uint8_t* row(int y) const { return bytes_.data() + offset(y); }
    /// The runs of all rows, in raster order.
    [[nodiscard]] std::span<const InkRun> runs() const { return {runs_.data(), run_count_}; }
    /// The index of the first run of a row, which is also the end of the row before.
    [[nodiscard]] std::size_t first_run(int y) const { return first_run_[static_cast<std::size_t>(y)]; }
    [[nodiscard]] std::span<const InkRun> runs(int y) const {
        return {runs_.data() + first_run(y), first_run(y + 1) - first_run(y)};
    }
    /// The rows from the first with ink to the last, exclusive. Equal if there is no ink.
    [[nodiscard]] int top() const { return top_; }
    [[nodiscard]] int bottom() const { return bottom_; }

  private:
    void reshape(int width, int height);
    [[nodiscard]] std::uint8_t* mutable_row(int y) { return bytes_.data() + offset(y); }
    [[nodiscard]] std::ptrdiff_t offset(int y) const { return ((std::ptrdiff_t{y} + 1) * stride_) + margin; }
    void find_runs();

    static constexpr std::ptrdiff_t margin = 16; ///< before the first padding row and after the last

    int width_ = 0;
    int height_ = 0;
    int stride_ = 0;
    int top_ = 0;
    int bottom_ = 0;
    std::vector<std::uint8_t> bytes_;
    std::size_t words_ = 0;           ///< of bits per row
    std::vector<std::uint64_t> bits_; ///< by row; bit 0 of the first word is the leftmost pixel
    std::vector<InkRun> runs_;        ///< with room for more
    std::size_t run_count_ = 0;
    std::vector<std::uint32_t> first_run_; ///< by row, and one more
};

} // namespace sprig
