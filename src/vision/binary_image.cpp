#include "vision/binary_image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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
Bytes16 load_few(const std::uint8_t* from, unsigned count) {
    Bytes16 bytes{};
    std::memcpy(&bytes, from, count);
    return bytes;
}

/// 255 in the first `count` bytes.
Bytes16 first_bytes(unsigned count) {
    Bytes16 bytes{};
    for (unsigned i = 0; i < count; ++i) bytes[i] = 255;
    return bytes;
}

/// Adds the runs of 64 pixels of a row, from x on. The row's runs so far are `first` to `end`; returns their
/// end.
InkRun* add_runs(InkRun* first, InkRun* end, unsigned x, std::uint64_t bits) {
    // A run that goes on from the pixels before is taken up again.
    if ((bits & 1U) != 0 && end != first && end[-1].last + 1U == x) {
        end[-1].last = static_cast<std::uint16_t>(x + static_cast<unsigned>(std::countr_one(bits)) - 1);
        bits &= bits + 1;
    }
    while (bits != 0) {
        const std::uint64_t after = bits + (bits & (~bits + 1)); // carries through the first run
        const auto begin = static_cast<unsigned>(std::countr_zero(bits));
        const auto behind = static_cast<unsigned>(std::countr_zero(after));
        *end++ = {static_cast<std::uint16_t>(x + begin), static_cast<std::uint16_t>(x + behind - 1)};
        bits &= after;
    }
    return end;
}

} // namespace

void BinaryImage::reshape(int width, int height) {
    top_ = height;
    bottom_ = height;
    run_count_ = 0;
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    stride_ = ((width / int{lanes}) + 1) * int{lanes}; // at least one byte of background after each row
    bytes_.assign(static_cast<std::size_t>(offset(height + 1) + margin), 0);
    words_ = (static_cast<std::size_t>(width) + word_bits - 1) / word_bits;
    bits_.assign(words_ * static_cast<std::size_t>(height), 0);
    first_run_.assign(static_cast<std::size_t>(height) + 1, 0);
}

void BinaryImage::start(int width, int height) {
    reshape(width, height);
    std::fill(bits_.begin(), bits_.end(), std::uint64_t{0});
}

void BinaryImage::finish() {
    constexpr std::size_t group = 8; // pixels that are expanded at once
    for (int y = 0; y < height_; ++y) {
        std::uint8_t* to = mutable_row(y);
        for (const std::uint64_t word : bits(y)) {
            const std::size_t count =
                std::min<std::size_t>(word_bits, static_cast<std::size_t>(row(y) + stride_ - to));
            for (std::size_t i = 0; i < count; i += group) {
                const std::uint64_t eight = bytes_of_bits[(word >> i) & 255U];
                std::memcpy(to + i, &eight, sizeof(eight));
            }
            to += count;
        }
    }
    find_runs();
}

/// Finds the runs of all rows from the bits.
void BinaryImage::find_runs() {
    const std::size_t most_in_row = (static_cast<std::size_t>(width_) / 2) + 1;
    const std::uint64_t* bits = bits_.data();
    std::size_t count = 0;
    for (int y = 0; y < height_; ++y, bits += words_) {
        if (runs_.size() < count + most_in_row) runs_.resize(2 * (count + most_in_row));
        InkRun* const first = runs_.data() + count;
        InkRun* end = first;
        for (std::size_t word = 0; word < words_; ++word)
            end = add_runs(first, end, static_cast<unsigned>(word) * word_bits, bits[word]);
        if (end != first) {
            top_ = std::min(top_, y);
            bottom_ = y + 1;
        }
        count = static_cast<std::size_t>(end - runs_.data());
        first_run_[static_cast<std::size_t>(y) + 1] = static_cast<std::uint32_t>(count);
    }
    run_count_ = count;
}

void BinaryImage::threshold(ImageView image, int threshold) {
    reshape(image.width, image.height);
    const Bytes16 level = Bytes16{} + static_cast<std::uint8_t>(threshold);
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t last = (width - 1) & ~std::size_t{lanes - 1}; // where the last group of a row begins
    const Bytes16 tail = first_bytes(static_cast<unsigned>(width - last));
    const std::uint8_t* from = image.pixels;
    const std::uint8_t* const end = image.pixels + image.size();
    std::uint64_t* words = bits_.data();
    for (int y = 0; y < height_; ++y, from += width) {
        std::uint8_t* const to = mutable_row(y);
        std::uint64_t word = 0;
        for (std::size_t x = 0; x < last; x += lanes) {
            const auto ink = std::bit_cast<Bytes16>(load_bytes(from + x) > level);
            store_bytes(to + x, ink);
            word |= std::uint64_t{mask_of(ink)} << (x % word_bits);
            if ((x + lanes) % word_bits != 0) continue;
            *words++ = word;
            word = 0;
        }
        // What is read beyond the row belongs to the next one, except at the end of the image.
        const std::uint8_t* const at = from + last;
        const Bytes16 grey = end - at >= std::ptrdiff_t{lanes}
                                 ? load_bytes(at)
                                 : load_few(at, static_cast<unsigned>(width - last));
        const Bytes16 ink = std::bit_cast<Bytes16>(grey > level) & tail;
        store_bytes(to + last, ink);
        *words++ = word | (std::uint64_t{mask_of(ink)} << (last % word_bits));
    }
    find_runs();
}

} // namespace sprig
