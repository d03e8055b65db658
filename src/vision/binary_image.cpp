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
    runs_.clear();
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    stride_ = ((width / lanes) + 1) * lanes; // at least one byte of background after each row
    bytes_.assign(static_cast<std::size_t>(offset(height + 1) + margin), 0);
    first_run_.assign(static_cast<std::size_t>(height) + 1, 0);
}

/// Adds the runs of 64 pixels of the row, from x on.
void BinaryImage::add_runs(std::uint64_t bits, int x) {
    while (bits != 0) {
        const std::uint64_t after = bits + (bits & (~bits + 1)); // carries through the first run
        const int begin = x + std::countr_zero(bits);
        const int last = x + std::countr_zero(after) - 1;
        const bool continues = begin == x && x > 0 && row(bottom_ - 1)[x - 1] != 0;
        if (continues) {
            runs_.back().last = static_cast<std::uint16_t>(last);
        } else {
            runs_.push_back({static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(last)});
        }
        bits &= after;
    }
}

void BinaryImage::finish_row(int y) {
    const std::uint8_t* bytes = row(y);
    for (int x = 0; x < width_; x += word_bits) {
        // Reading up to the next multiple of 16 is safe: the bytes after the row are background.
        std::uint64_t word = 0;
        const int end = std::min(word_bits, stride_ - x);
        for (int i = 0; i < end; i += lanes)
            word |= std::uint64_t{mask_of(load_bytes(bytes + x + i))} << static_cast<unsigned>(i);
        if (word == 0) continue;
        top_ = std::min(top_, y);
        bottom_ = y + 1;
        add_runs(word, x);
    }
    first_run_[static_cast<std::size_t>(y) + 1] = static_cast<std::uint32_t>(runs_.size());
}

void BinaryImage::threshold(ImageView image, int threshold) {
    reshape(image.width, image.height);
    const Bytes16 level = Bytes16{} + static_cast<std::uint8_t>(threshold);
    const Bytes16 tail = first_bytes(width_ % lanes);
    const int whole = width_ - (width_ % lanes);
    const std::uint8_t* from = image.pixels;
    const std::uint8_t* end = image.pixels + image.size();
    for (int y = 0; y < height_; ++y, from += width_) {
        std::uint8_t* to = row(y);
        for (int x = 0; x < whole; x += lanes)
            store_bytes(to + x, std::bit_cast<Bytes16>(load_bytes(from + x) > level));
        if (whole < width_) {
            // What is read beyond the row belongs to the next one, except at the end of the image.
            const std::uint8_t* last = from + whole;
            const Bytes16 bytes = end - last >= lanes ? load_bytes(last) : load_few(last, width_ - whole);
            store_bytes(to + whole, std::bit_cast<Bytes16>(bytes > level) & tail);
        }
        finish_row(y);
    }
}

} // namespace sprig
