#include "vision/distance.h"

#include <algorithm>

namespace sprig {

namespace {

// The steps of the chamfer distance of a 5 x 5 neighbourhood (Borgefors 1986), in 1/65536 px.
constexpr std::int32_t straight_step = 65536; // 1 px
constexpr std::int32_t diagonal_step = 91750; // 1.4 px
constexpr std::int32_t knights_step = 143976; // 2.1969 px, two pixels along and one across

/// Lowers the distances of a row to what steps from the next row and the one after it allow. Before the sweep
/// along the row and without a dependence between pixels, so that the compiler can vectorise it.
void step_across(std::int32_t* row, const std::int32_t* next, const std::int32_t* second,
                 std::ptrdiff_t width) {
    for (std::ptrdiff_t x = 0; x < width; ++x) {
        const std::int32_t flat = std::min(next[x - 2], next[x + 2]);
        const std::int32_t steep = std::min(second[x - 1], second[x + 1]);
        const std::int32_t diagonal = std::min(next[x - 1], next[x + 1]);
        row[x] = std::min(std::min(row[x], next[x] + straight_step),
                          std::min(diagonal + diagonal_step, std::min(flat, steep) + knights_step));
    }
}

void sweep_right(std::int32_t* row, std::ptrdiff_t width) {
    std::int32_t left = DistanceMap::far;
    for (std::ptrdiff_t x = 0; x < width; ++x) {
        left = std::min(row[x], left + straight_step);
        row[x] = left;
    }
}

void sweep_left(std::int32_t* row, std::ptrdiff_t width) {
    std::int32_t right = DistanceMap::far;
    for (std::ptrdiff_t x = width - 1; x >= 0; --x) {
        right = std::min(row[x], right + straight_step);
        row[x] = right;
    }
}

} // namespace

DistanceMap::DistanceMap(int width, int height)
    : width_(width), height_(height), distances_(with_border(width) * with_border(height), far) {}

std::span<std::int32_t> DistanceMap::row(int y) {
    return {start_of(y), static_cast<std::size_t>(width_)};
}

void DistanceMap::measure() {
    for (int y = 0; y < height_; ++y) {
        step_across(start_of(y), start_of(y - 1), start_of(y - 2), width_);
        sweep_right(start_of(y), width_);
    }
    for (int y = height_ - 1; y >= 0; --y) {
        step_across(start_of(y), start_of(y + 1), start_of(y + 2), width_);
        sweep_left(start_of(y), width_);
    }
}

std::size_t DistanceMap::with_border(int length) {
    return static_cast<std::size_t>(length) + (std::size_t{2} * reach);
}

std::int32_t* DistanceMap::start_of(int y) {
    return distances_.data() + (static_cast<std::size_t>(y + reach) * with_border(width_)) + reach;
}

} // namespace sprig
