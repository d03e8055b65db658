#include "vision/binary_image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vision/bytes16.h"

namespace sprig {

namespace {

constexpr int lanes = 16;
constexpr int word_bits = 64;

/// Sixteen bytes of which the first `count` exist.
Bytes16 load_few(const std::uint8_t* from, int count) {
    Bytes16 bytes{};
    std::memcpy(&bytes, from, static_cast<std::size_t>(count));
    return bytes;
}

/// 255 in the first `count` bytes.
Bytes16 first_bytes(int count) {
    Bytes16 bytes{};
    for (int i = 0; i < count; ++i) bytes[i] = 255;
    return bytes;
}

} // namespace

void BinaryImage::reshape(int width, int height) {
    top_ = height;
    bottom_ = height;
    run_count_ = 0;
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    stride_ = ((width / lanes) + 1) * lanes; // at least one byte of background after each row
    bytes_.assign(static_cast<std::size_t>(offset(height + 1) + margin), 0);
    first_run_.assign(static_cast<std::size_t>(height) + 1, 0);
}

/// Makes room for the runs of a row.
void BinaryImage::begin_row() {
    const std::size_t most = (static_cast<std::size_t>(width_) / 2) + 1;
    if (runs_.size() < run_count_ + most) runs_.resize(2 * (run_count_ + most));
}

/// Adds the runs of 64 pixels of a row, from x on.
inline void BinaryImage::add_runs(int y, int x, std::uint64_t bits) {
    if (bits == 0) return;
    top_ = std::min(top_, y);
    bottom_ = y + 1;
    // A run that goes on from the pixels before is taken up again.
    bool continues = (bits & 1U) != 0 && x > 0 && row(y)[x - 1] != 0;
    do {
        const std::uint64_t after = bits + (bits & (~bits + 1)); // carries through the first run
        const InkRun run{static_cast<std::uint16_t>(x + std::countr_zero(bits)),
                         static_cast<std::uint16_t>(x + std::countr_zero(after) - 1)};
        if (continues) {
            runs_[run_count_ - 1].last = run.last;
        } else {
            runs_[run_count_++] = run;
        }
        continues = false;
        bits &= after;
    } while (bits != 0);
}

inline void BinaryImage::end_row(int y) {
    first_run_[static_cast<std::size_t>(y) + 1] = static_cast<std::uint32_t>(run_count_);
}

void BinaryImage::finish_row(int y) {
    const std::uint8_t* bytes = row(y);
    begin_row();
    for (int x = 0; x < width_; x += word_bits) {
        // Reading up to the next multiple of 16 is safe: the bytes after the row are background.
        std::uint64_t word = 0;
        const int end = std::min(word_bits, stride_ - x);
        for (int i = 0; i < end; i += lanes)
            word |= std::uint64_t{mask_of(load_bytes(bytes + x + i))} << static_cast<unsigned>(i);
        add_runs(y, x, word);
    }
    end_row(y);
}

void BinaryImage::threshold(ImageView image, int threshold) {
    reshape(image.width, image.height);
    const Bytes16 level = Bytes16{} + static_cast<std::uint8_t>(threshold);
    const Bytes16 tail = first_bytes(width_ % lanes);
    const std::uint8_t* from = image.pixels;
    const std::uint8_t* end = image.pixels + image.size();
    for (int y = 0; y < height_; ++y, from += width_) {
        std::uint8_t* to = row(y);
        std::uint64_t word = 0;
        begin_row();
        for (int x = 0; x < width_; x += lanes) {
            const std::uint8_t* at = from + x;
            // What is read beyond the row belongs to the next one, except at the end of the image.
            const Bytes16 grey = end - at >= lanes ? load_bytes(at) : load_few(at, width_ - x);
            Bytes16 ink = std::bit_cast<Bytes16>(grey > level);
            if (x + lanes > width_) ink &= tail;
            store_bytes(to + x, ink);
            word |= std::uint64_t{mask_of(ink)} << static_cast<unsigned>(x % word_bits);
            if ((x + lanes) % word_bits != 0 && x + lanes < width_) continue;
            add_runs(y, x - (x % word_bits), word);
            word = 0;
        }
        end_row(y);
    }
}

} // namespace sprig
