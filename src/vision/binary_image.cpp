#include "vision/binary_image.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "vision/bytes16.h"

namespace sprig {

namespace {

constexpr int lanes = 16;
constexpr int word_bits = 64;

Bytes16 all_equal_to(int value) {
    return Bytes16{} + static_cast<std::uint8_t>(value);
}

} // namespace

void BinaryImage::reshape(int width, int height) {
    top_ = height;
    bottom_ = height;
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    stride_ = (width / lanes + 1) * lanes; // at least one byte of background after each row
    words_ = static_cast<std::size_t>((width + word_bits - 1) / word_bits);
    bytes_.assign((static_cast<std::size_t>(stride_) * (static_cast<std::size_t>(height) + 2)) + (2 * margin),
                  0);
    bits_.assign(words_ * static_cast<std::size_t>(height), 0);
}

void BinaryImage::set_bits(int y, std::size_t word, std::uint64_t bits) {
    bits_[(static_cast<std::size_t>(y) * words_) + word] = bits;
    if (bits == 0) return;
    top_ = std::min(top_, y);
    bottom_ = y + 1;
}

void BinaryImage::finish_row(int y) {
    const std::uint8_t* bytes = row(y);
    // Reading up to the next multiple of 16 is safe: the bytes after the row are background.
    for (int x = 0; x < width_; x += word_bits) {
        std::uint64_t word = 0;
        const int end = std::min(word_bits, stride_ - x);
        for (int i = 0; i < end; i += lanes)
            word |= std::uint64_t{mask_of(load_bytes(bytes + x + i))} << static_cast<unsigned>(i);
        set_bits(y, static_cast<std::size_t>(x / word_bits), word);
    }
}

void BinaryImage::threshold(ImageView image, int threshold) {
    reshape(image.width, image.height);
    const Bytes16 level = all_equal_to(threshold);
    const auto copy = [level](const std::uint8_t* from, std::uint8_t* to) {
        store_bytes(to, static_cast<Bytes16>(load_bytes(from) > level));
    };
    const std::uint8_t* from = image.pixels;
    for (int y = 0; y < height_; ++y, from += width_) {
        std::uint8_t* to = row(y);
        int x = 0;
        for (; x + lanes <= width_; x += lanes) copy(from + x, to + x);
        if (x < width_ && width_ >= lanes) {
            copy(from + width_ - lanes, to + width_ - lanes); // some pixels twice
        } else if (x < width_) {
            std::array<std::uint8_t, lanes> few{};
            std::memcpy(few.data(), from, static_cast<std::size_t>(width_));
            copy(few.data(), to);
        }
        finish_row(y);
    }
}

} // namespace sprig
