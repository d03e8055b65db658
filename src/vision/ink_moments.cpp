#include "vision/ink_moments.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sprig {

namespace {

constexpr int tile_width = 64; // a word of bits
constexpr int tile_height = 32;

/// The number of pixels, the sum of x and the sum of x * x in one number, so that all are added at once. The
/// fields are wide enough for the sums of a tile that `add_tile` makes.
class PackedSums {
  public:
    constexpr PackedSums() = default;
    constexpr PackedSums(std::uint64_t count, std::uint64_t x, std::uint64_t xx)
        : value_(count | (x << x_at) | (xx << xx_at)) {}

    [[nodiscard]] std::int64_t count() const { return field(0, x_at); }
    [[nodiscard]] std::int64_t x() const { return field(x_at, xx_at); }
    [[nodiscard]] std::int64_t xx() const { return field(xx_at, 64); }

    PackedSums& operator+=(PackedSums other) {
        value_ += other.value_;
        return *this;
    }
    PackedSums& operator-=(PackedSums other) {
        value_ -= other.value_;
        return *this;
    }

  private:
    static constexpr unsigned x_at = 20;
    static constexpr unsigned xx_at = 41;

    [[nodiscard]] std::int64_t field(unsigned begin, unsigned end) const {
        return static_cast<std::int64_t>((value_ << (64 - end)) >> (64 - end + begin));
    }

    std::uint64_t value_ = 0;
};

/// By x: the sums of the pixels of a row from 0 to x, exclusive.
constexpr std::array<PackedSums, tile_width + 1> sums_below = [] {
    std::array<PackedSums, tile_width + 1> table;
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
    for (std::uint64_t x = 0; x <= tile_width; ++x) {
        table[x] = PackedSums(x, sum, squares);
        sum += x;
        squares += x * x;
    }
    return table;
}();

PackedSums sums_of(std::uint64_t bits) {
    PackedSums sums;
    while (bits != 0) {
        const std::uint64_t after = bits + (bits & (~bits + 1)); // carries through the first run
        sums += sums_below[static_cast<std::size_t>(std::countr_zero(after))];
        sums -= sums_below[static_cast<std::size_t>(std::countr_zero(bits))];
        bits &= after;
    }
    return sums;
}

/// Adds the pixels of one word of bits in each of the rows from `top` to `bottom`, exclusive.
void add_tile(const BinaryImage& image, std::size_t word, int top, int bottom, InkSums& sums) {
    const std::uint64_t* bits = image.bits(top).data() + word;
    const std::size_t row_words = image.bits(top).size();
    // Sums of sums weight a row by k, its distance from the bottom, and by k (k + 1) / 2, without products.
    PackedSums once;
    PackedSums twice;
    PackedSums thrice;
    for (int y = top; y < bottom; ++y, bits += row_words) {
        once += sums_of(*bits);
        twice += once;
        thrice += twice;
    }
    const std::int64_t count = once.count();
    const std::int64_t k = twice.count();
    const std::int64_t kk = (2 * thrice.count()) - k;
    const std::int64_t left = static_cast<std::int64_t>(word) * tile_width;
    const std::int64_t y = (bottom * count) - k;
    sums.count += count;
    sums.x += (left * count) + once.x();
    sums.y += y;
    sums.xx += (left * left * count) + (2 * left * once.x()) + once.xx();
    sums.xy += (left * y) + (bottom * once.x()) - twice.x();
    sums.yy += (bottom * y) - (bottom * k) + kk;
}

/// The sum of the squares of the numbers from 0 to `end`, exclusive.
std::int64_t squares_below(std::int64_t end) {
    return end * (end - 1) * ((2 * end) - 1) / 6;
}

} // namespace

void InkSums::add_run(std::int64_t row, std::int64_t begin, std::int64_t end) {
    const std::int64_t n = end - begin;
    const std::int64_t in_row = (begin + end - 1) * n / 2;
    count += n;
    x += in_row;
    y += row * n;
    xx += squares_below(end) - squares_below(begin);
    xy += row * in_row;
    yy += row * row * n;
}

InkMoments measure_ink(const BinaryImage& image) {
    InkSums sums;
    for (int top = image.top(); top < image.bottom(); top += tile_height) {
        const int bottom = std::min(image.bottom(), top + tile_height);
        for (std::size_t word = 0; word < image.bits(top).size(); ++word)
            add_tile(image, word, top, bottom, sums);
    }
    return sums.moments();
}

InkMoments InkSums::moments() const {
    if (count == 0) return {};
    const auto n = static_cast<double>(count);
    InkMoments ink;
    ink.x = static_cast<double>(x) / n;
    ink.y = static_cast<double>(y) / n;
    const double variance_x = (static_cast<double>(xx) / n) - (ink.x * ink.x);
    const double variance_y = (static_cast<double>(yy) / n) - (ink.y * ink.y);
    const double variance = variance_x + variance_y;
    ink.radius = variance > 0 ? std::sqrt(variance) : 0;
    ink.doubled_cosine = variance_x - variance_y;
    ink.doubled_sine = 2 * ((static_cast<double>(xy) / n) - (ink.x * ink.y));
    return ink;
}

} // namespace sprig
