#include "vision/binary_image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "vision/bytes16.h"

namespace sprig {

namespace {

constexpr unsigned lanes = 16;
constexpr unsigned word_bits = 64;

/// The eight bytes, each 0 or 255, of eight bits.
constexpr std::array<std::uint64_t, 256> bytes_of_bits = [] {
    std::array<std::uint64_t, 256> table{};
    for (std::uint64_t bits = 0; bits < table.size(); ++bits) {
        for (unsigned i = 0; i < 8; ++i) table[bits] |= ((bits >> i) & 1U) * (std::uint64_t{255} << (8 * i));
    }
    return table;
}();

/// Sixteen bytes of which the first `count` exist.
Bytes16 load_few(const std::uint8_t* from, std::size_t count) {
    Bytes16 bytes{};
    std::memcpy(&bytes, from, count);
    return bytes;
}

/// 255 in the first `count` bytes.
Bytes16 first_bytes(std::size_t count) {
    Bytes16 bytes{};
    for (unsigned i = 0; i < count; ++i) bytes[i] = 255;
    return bytes;
}

/// 255 where a value is at least `least`.
Bytes16 at_least(Bytes16 values, Bytes16 least) {
    const Bytes16 greater = values > least ? values : least; // one instruction, unlike a comparison
    return std::bit_cast<Bytes16>(greater == values);
}

/// Stores sixteen bytes of ink, and their bits at `bits`.
void store_ink(Bytes16 ink, std::uint8_t* bytes, std::uint8_t* bits) {
    static_assert(std::endian::native == std::endian::little); // groups of bits are in the order of words
    store_bytes(bytes, ink);
    const auto mask = static_cast<std::uint16_t>(mask_of(ink));
    std::memcpy(bits, &mask, sizeof(mask));
}

/// Writes the bytes of the first `count` bits of a word, a multiple of 16.
void expand_bits(std::uint64_t word, std::size_t count, std::uint8_t* to) {
    if (word == 0) {
        for (std::size_t i = 0; i < count; i += lanes) store_bytes(to + i, Bytes16{});
        return;
    }
    for (std::size_t i = 0; i < count; i += 8, word >>= 8U)
        std::memcpy(to + i, &bytes_of_bits[word & 255U], sizeof(bytes_of_bits[0]));
}

} // namespace

void BinaryImage::reshape(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    padded_width_ = ((width / int{lanes}) + 1) * int{lanes}; // at least one byte of background after each row
    stride_bits_ = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(padded_width_ - 1)));
    bytes_.assign(static_cast<std::size_t>(offset(height + 1) + margin), 0);
    words_ = (static_cast<std::size_t>(width) + word_bits - 1) / word_bits;
    bits_.assign(words_ * static_cast<std::size_t>(height), 0);
}

void BinaryImage::start(int width, int height) {
    reshape(width, height);
    std::fill(bits_.begin(), bits_.end(), std::uint64_t{0});
}

void BinaryImage::finish() {
    // The stride is a whole number of words, or less than one. What is written after the row is background.
    const std::size_t in_word = std::min<std::size_t>(word_bits, static_cast<std::size_t>(stride()));
    for (int y = 0; y < height_; ++y) {
        std::uint8_t* to = mutable_row(y);
        for (const std::uint64_t word : std::as_const(*this).bits(y)) {
            expand_bits(word, in_word, to);
            to += in_word;
        }
    }
    find_top_and_bottom();
}

void BinaryImage::find_top_and_bottom() {
    const auto has_ink = [](std::uint64_t word) { return word != 0; };
    const auto row_of = [this](auto word) {
        return static_cast<int>(static_cast<std::size_t>(word - bits_.begin()) / words_);
    };
    const auto first = std::find_if(bits_.begin(), bits_.end(), has_ink);
    top_ = bottom_ = height_;
    if (first == bits_.end()) return;
    top_ = row_of(first);
    bottom_ = row_of(std::find_if(bits_.rbegin(), bits_.rend(), has_ink).base() - 1) + 1;
}

void BinaryImage::threshold(ImageView image, int threshold) {
    reshape(image.width, image.height);
    const Bytes16 least = Bytes16{} + static_cast<std::uint8_t>(threshold + 1);
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t last = (width - 1) & ~std::size_t{lanes - 1}; // where the last group of a row begins
    const Bytes16 tail = first_bytes(width - last);
    const std::uint8_t* from = image.pixels;
    // Local copies: the compiler must assume that a store of a byte changes any member.
    const std::uint8_t* const end = from + image.size();
    const std::ptrdiff_t stride_bytes = stride();
    const std::size_t bit_bytes = words_ * sizeof(bits_[0]);
    std::uint8_t* to = mutable_row(0);
    auto* bits = reinterpret_cast<std::uint8_t*>(bits_.data());
    for (; from < end; from += width, to += stride_bytes, bits += bit_bytes) {
        for (std::size_t x = 0; x < last; x += lanes)
            store_ink(at_least(load_bytes(from + x), least), to + x, bits + (x / 8));
        // What is read beyond the row belongs to the next one, except at the end of the image.
        const bool is_whole = end - from >= static_cast<std::ptrdiff_t>(last + lanes);
        const Bytes16 grey = is_whole ? load_bytes(from + last) : load_few(from + last, width - last);
        store_ink(at_least(grey, least) & tail, to + last, bits + (last / 8));
    }
    find_top_and_bottom();
}

} // namespace sprig
