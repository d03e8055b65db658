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
std::int64_t source_of(std::int64_t pixel, int scale) {
    const std::int64_t numerator = ((2 * pixel) + 1 - scale) * one;
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

/// Adds the set bits of a number, which has few bits, at `begin`.
void or_bits(std::uint64_t* words, unsigned begin, std::uint64_t bits) {
    const unsigned from = begin % bits_per_word;
    if (bits == 0) return;
    words[begin / bits_per_word] |= bits << from;
    const std::uint64_t rest = from == 0 ? 0 : bits >> (bits_per_word - from);
    if (rest != 0) words[(begin / bits_per_word) + 1] |= rest;
}

/// Sums over grey levels, for the slant. The sums of a run are exact integers. Those of all runs are, too,
/// for all practical image sizes.
class GreySums {
  public:
    explicit GreySums(double damping) : damping_(damping) {}

    /// Adds the pixels from `begin` to `end`, exclusive, of a row.
    void add(const std::uint8_t* row, int y, int begin, int end) {
        damping_ > 0 ? add_run<true>(row, y, begin, end) : add_run<false>(row, y, begin, end);
    }

    [[nodiscard]] Slant slant() const {
        double spread = (mass_ * yy_) - (y_ * y_);
        if (damping_ > 0) spread += damping_ * ((mass_ * xx_) - (x_ * x_));
        if (spread <= 0) return {};
        const double shear = ((mass_ * xy_) - (x_ * y_)) / spread;
        return {std::clamp(shear, -1.0, 1.0), y_ / mass_};
    }

  private:
    template <bool has_damping>
    void add_run(const std::uint8_t* row, int y, int begin, int end) {
        std::int64_t mass = 0;
        std::int64_t x_sum = 0;
        std::int64_t xx_sum = 0;
        for (int x = begin; x < end; ++x) {
            const std::int64_t moment = std::int64_t{row[x]} * x;
            mass += row[x];
            x_sum += moment;
            if (has_damping) xx_sum += moment * x;
        }
        const auto in_row = static_cast<double>(mass);
        const auto x_in_row = static_cast<double>(x_sum);
        mass_ += in_row;
        x_ += x_in_row;
        y_ += in_row * y;
        xy_ += x_in_row * y;
        yy_ += in_row * y * y;
        xx_ += static_cast<double>(xx_sum);
    }

    double damping_;
    double mass_ = 0;
    double x_ = 0;
    double y_ = 0;
    double xx_ = 0; ///< only with damping
    double xy_ = 0;
    double yy_ = 0;
};

const std::uint8_t* row_of(ImageView image, int y) {
    return image.pixels + (std::ptrdiff_t{y} * image.width);
}

} // namespace

Slant measure_slant(ImageView image, double damping) {
    GreySums sums(damping);
    for (int y = 0; y < image.height; ++y) sums.add(row_of(image, y), y, 0, image.width);
    return sums.slant();
}

Slant measure_slant(ImageView image, std::span<const InkParts::Run> runs, double damping) {
    GreySums sums(damping);
    for (const InkParts::Run& run : runs) sums.add(row_of(image, run.y), run.y, run.begin, run.end);
    return sums.slant();
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

/// The first column whose position in the image is at least `source_x`. It may lie outside of the result.
std::int64_t Resampler::first_column(std::int64_t source_x) const {
    std::int64_t column = ((source_x >> 16) * scale_) + (scale_ / 2);
    const std::int64_t in_pixel = source_x & (one - 1);
    for (int u = 0; u < scale_; ++u) column += phases_[static_cast<std::size_t>(u)] < in_pixel ? 1 : 0;
    return column;
}

/// Draws one row of the result. `weight` is that of the lower row of the image.
void Resampler::draw_row(std::int64_t shift, std::int64_t weight, std::span<std::uint64_t> bits) const {
    // The least sum that is rounded to more than the threshold.
    const std::int64_t least = ((std::int64_t{threshold_} + 1) * one * one) - (one * one / 2);
    const std::int64_t least_at_side = (least + one - 1) / one;
    const auto width = static_cast<std::int64_t>(columns_.size());
    // Columns that are `scale` apart are one pixel apart in the image, exactly.
    const std::int64_t first = first_column(-one - shift);
    const auto column = [&](int cell) {
        return static_cast<unsigned>(
            std::clamp<std::int64_t>(first + (std::int64_t{cell} * scale_), 0, width));
    };
    std::uint64_t* const words = bits.data();
    for (const Piece& piece : pieces_) {
        const unsigned begin = column(piece.begin);
        const unsigned end = column(piece.end);
        if (piece.is_full) {
            set_bits(words, begin, end);
            continue;
        }
        const Cell& cell = piece.cell;
        const std::int64_t left = (cell.upper_left * (one - weight)) + (cell.lower_left * weight);
        const std::int64_t right = (cell.upper_right * (one - weight)) + (cell.lower_right * weight);
        // What lies between two sides that are ink is ink, and the same holds for background.
        const bool is_ink = left >= least_at_side;
        if (is_ink == (right >= least_at_side)) {
            if (is_ink) set_bits(words, begin, end);
            continue;
        }
        const std::int64_t needed = least - (left * one);
        const std::int64_t slope = right - left;
        std::uint64_t ink = 0; // of the cell, which has at most 17 columns
        for (unsigned u = end; u-- > begin;) {
            const std::int64_t across = (columns_[u] + shift) & (one - 1);
            ink = (ink << 1U) | (slope * across >= needed ? 1U : 0U);
        }
        or_bits(words, begin, ink);
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
    // Column scale / 2 is the first one whose position is not negative.
    for (int u = 0; u < scale; ++u) phases_[static_cast<std::size_t>(u)] = source_of((scale / 2) + u, scale);
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
