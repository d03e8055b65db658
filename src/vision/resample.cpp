#include "vision/resample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sprig {

namespace {

constexpr std::int64_t one = 1 << 16; // a pixel in fixed point
constexpr unsigned bits_per_word = 64;

/// The position in the original of the centre of a pixel of the enlarged image.
std::int64_t source_of(int pixel, int scale) {
    const std::int64_t numerator = ((2 * std::int64_t{pixel}) + 1 - scale) * one;
    const std::int64_t denominator = 2 * std::int64_t{scale};
    return (numerator >= 0 ? numerator + scale : numerator - scale) / denominator; // rounded
}

/// Sets the bits from `begin` to `end`, exclusive.
void set_bits(std::uint64_t* words, unsigned begin, unsigned end) {
    while (begin < end) {
        const unsigned from = begin % bits_per_word;
        const unsigned count = std::min(end - begin, bits_per_word - from);
        words[begin / bits_per_word] |= (~std::uint64_t{0} >> (bits_per_word - count)) << from;
        begin += count;
    }
}

} // namespace

Slant measure_slant(ImageView image) {
    // The sums of a row are exact integers. Those of all rows are, too, for all practical image sizes.
    double mass = 0;
    double sum_x = 0;
    double sum_y = 0;
    double sum_xy = 0;
    double sum_yy = 0;
    for (int y = 0; y < image.height; ++y) {
        const std::uint8_t* row = image.pixels + (std::ptrdiff_t{y} * image.width);
        std::int64_t row_mass = 0;
        std::int64_t row_x = 0;
        for (int x = 0; x < image.width; ++x) {
            row_mass += row[x];
            row_x += std::int64_t{row[x]} * x;
        }
        const auto in_row = static_cast<double>(row_mass);
        const auto x_in_row = static_cast<double>(row_x);
        mass += in_row;
        sum_x += x_in_row;
        sum_y += in_row * y;
        sum_xy += x_in_row * y;
        sum_yy += in_row * y * y;
    }
    const double spread = (mass * sum_yy) - (sum_y * sum_y);
    if (spread <= 0) return {};
    const double shear = ((mass * sum_xy) - (sum_x * sum_y)) / spread;
    return {std::clamp(shear, -1.0, 1.0), sum_y / mass};
}

/// Finds the cells between two rows of the image that are not empty. A row outside the image is background.
void Resampler::find_cells(ImageView image, int upper) {
    pieces_.clear();
    const auto pixel = [&](int x, int y) -> std::int64_t {
        const bool is_inside = x >= 0 && x < image.width && y >= 0 && y < image.height;
        return is_inside ? image.at(x, y) : 0;
    };
    const auto bits = [&](int y, std::size_t word) {
        const bool is_inside = y >= 0 && y < image.height && word < source_.bits(0).size();
        return is_inside ? source_.bits(y)[word] : 0;
    };
    const auto add = [&](int x, bool is_full) {
        const bool continues = !pieces_.empty() && pieces_.back().end == x;
        if (is_full && continues && pieces_.back().is_full) {
            ++pieces_.back().end;
        } else {
            pieces_.push_back(
                {x, x + 1, is_full,
                 Cell{pixel(x - 1, upper), pixel(x, upper), pixel(x - 1, upper + 1), pixel(x, upper + 1)}});
        }
    };
    // Cell x lies to the left of column x. Bits: whether some, and whether all pixels of a column are ink.
    std::uint64_t some_before = 0;
    std::uint64_t all_before = 0;
    const std::size_t words = (static_cast<std::size_t>(image.width) / bits_per_word) + 1;
    for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t some = bits(upper, word) | bits(upper + 1, word);
        const std::uint64_t all = bits(upper, word) & bits(upper + 1, word);
        const std::uint64_t full = all & ((all << 1U) | all_before);
        for (std::uint64_t used = some | (some << 1U) | some_before; used != 0; used &= used - 1) {
            const int x = static_cast<int>(word * bits_per_word) + std::countr_zero(used);
            add(x, (full & used & (~used + 1)) != 0);
        }
        some_before = some >> (bits_per_word - 1);
        all_before = all >> (bits_per_word - 1);
    }
}

/// The first column of the result whose position in the image is at least `source_x`.
int Resampler::first_column(std::int64_t source_x) const {
    const auto count = static_cast<std::int64_t>(columns_.size());
    std::int64_t column = std::clamp<std::int64_t>(((source_x * scale_) >> 16) + (scale_ / 2), 0, count);
    while (column > 0 && columns_[static_cast<std::size_t>(column - 1)] >= source_x) --column;
    while (column < count && columns_[static_cast<std::size_t>(column)] < source_x) ++column;
    return static_cast<int>(column);
}

/// Draws one row of the result. `weight` is that of the lower row of the image.
void Resampler::draw_row(std::int64_t shift, std::int64_t weight, std::span<std::uint64_t> bits) const {
    // The least sum that is rounded to more than the threshold.
    const std::int64_t least = ((std::int64_t{threshold_} + 1) * one * one) - (one * one / 2);
    std::uint64_t* const words = bits.data();
    int end_cell = -1;
    int end = 0;
    for (const Piece& piece : pieces_) {
        const int begin = piece.begin == end_cell ? end : first_column(((piece.begin - 1) * one) - shift);
        end = first_column(((piece.end - 1) * one) - shift);
        end_cell = piece.end;
        if (piece.is_full) {
            set_bits(words, static_cast<unsigned>(begin), static_cast<unsigned>(end));
            continue;
        }
        const Cell& cell = piece.cell;
        const std::int64_t left = (cell.upper_left * (one - weight)) + (cell.lower_left * weight);
        const std::int64_t right = (cell.upper_right * (one - weight)) + (cell.lower_right * weight);
        const std::int64_t needed = least - (left * one);
        const std::int64_t slope = right - left;
        for (auto u = static_cast<unsigned>(begin); u < static_cast<unsigned>(end); ++u) {
            const std::int64_t across = (columns_[u] + shift) & (one - 1);
            words[u / bits_per_word] |= std::uint64_t{slope * across >= needed ? 1U : 0U}
                                        << (u % bits_per_word);
        }
    }
}

void Resampler::run(ImageView image, int scale, const Slant& slant, int threshold, BinaryImage& result) {
    const auto shear = static_cast<std::int64_t>(std::llround(slant.shear * one));
    const auto centre = static_cast<std::int64_t>(std::llround(slant.centre_y * one));
    scale_ = scale;
    threshold_ = threshold;
    source_.threshold(image, threshold);
    result.start(image.width * scale, image.height * scale);
    columns_.resize(static_cast<std::size_t>(result.width()));
    for (int u = 0; u < result.width(); ++u) columns_[static_cast<std::size_t>(u)] = source_of(u, scale);
    std::int64_t upper = -2; // the row of the image that the pieces are below
    for (int v = 0; v < result.height(); ++v) {
        const std::int64_t source_y = source_of(v, scale);
        if (source_y >> 16 != upper) {
            upper = source_y >> 16;
            find_cells(image, static_cast<int>(upper));
        }
        if (!pieces_.empty())
            draw_row((shear * (source_y - centre)) >> 16, source_y & (one - 1), result.bits(v));
    }
    result.finish();
}

} // namespace sprig
