#include "baselines/hog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using Histogram = std::array<float, hog_bins>;
using Block = std::array<float, hog_block_cells * hog_block_cells * hog_bins>;

/// A thing that lies between two others belongs to both: to the nearer one with the larger share.
struct Shared {
    std::array<int, 2> to; ///< the second is the next one; either may be beyond the end
    std::array<float, 2> share;
};

Shared shared(float place) {
    const float below = std::floor(place);
    return {{static_cast<int>(below), static_cast<int>(below) + 1}, {1 - (place - below), place - below}};
}

struct Gradient {
    float strength;
    Shared bins;
};

Gradient gradient(float dx, float dy) {
    const float half_turns = std::atan2(dy, dx) / std::numbers::pi_v<float>; // from -1 to 1
    return {std::hypot(dx, dy), shared((half_turns * hog_bins) - 0.5F)};
}

void vote(const Gradient& gradient, float share, Histogram& histogram) {
    constexpr int bins = hog_bins;
    for (std::size_t i = 0; i < 2; ++i) {
        // Half a turn on it is the same bin again. The first may be as low as -10, and no index is.
        const int bin = (gradient.bins.to[i] + (2 * bins)) % bins;
        histogram[static_cast<std::size_t>(bin)] += gradient.strength * gradient.bins.share[i] * share;
    }
}

/// The four cells around each pixel get its vote, by how near their middles are; beyond the border there are
/// none. A stroke that moves by a pixel then changes little.
class Cells {
  public:
    explicit Cells(std::size_t across) : across_(static_cast<int>(across)), cells_(across * across) {}

    void vote(std::size_t x, std::size_t y, const Gradient& gradient) {
        const Shared columns = cells_around(x);
        const Shared rows = cells_around(y);
        for (std::size_t v = 0; v < 2; ++v) {
            for (std::size_t u = 0; u < 2; ++u) {
                if (!is_within(columns.to[u]) || !is_within(rows.to[v])) continue;
                const int cell = (rows.to[v] * across_) + columns.to[u];
                baselines::vote(gradient, rows.share[v] * columns.share[u],
                                cells_[static_cast<std::size_t>(cell)]);
            }
        }
    }

    [[nodiscard]] const Histogram& at(std::size_t column, std::size_t row) const {
        return cells_[(row * static_cast<std::size_t>(across_)) + column];
    }

  private:
    static Shared cells_around(std::size_t pixel) {
        return shared(((static_cast<float>(pixel) + 0.5F) / hog_cell) - 0.5F);
    }
    [[nodiscard]] bool is_within(int place) const { return place >= 0 && place < across_; }

    int across_;
    std::vector<Histogram> cells_;
};

/// The votes of all pixels. At the border a pixel is its own neighbour.
Cells cells_of(std::span<const float> image, std::size_t side) {
    Cells cells(side / hog_cell);
    const auto at = [&](std::size_t x, std::size_t y) { return image[(y * side) + x]; };
    const auto before = [](std::size_t place) { return place == 0 ? 0 : place - 1; };
    const auto after = [&](std::size_t place) { return std::min(place + 1, side - 1); };
    for (std::size_t y = 0; y < side; ++y) {
        for (std::size_t x = 0; x < side; ++x) {
            const float dx = at(after(x), y) - at(before(x), y);
            const float dy = at(x, after(y)) - at(x, before(y));
            if (dx != 0 || dy != 0) cells.vote(x, y, gradient(dx, dy));
        }
    }
    return cells;
}

void to_unit_length(Block& block) {
    const float squares = std::inner_product(block.begin(), block.end(), block.begin(), 0.0F);
    if (squares == 0) return;
    for (float& value : block) value /= std::sqrt(squares);
}

/// To unit length, no direction above a fifth, to unit length again: so one strong edge does not hide the
/// rest.
void normalise(Block& block) {
    constexpr float most = 0.2F;
    to_unit_length(block);
    for (float& value : block) value = std::min(value, most);
    to_unit_length(block);
}

Block block_at(std::size_t column, std::size_t row, const Cells& cells) {
    Block block = {};
    auto out = block.begin();
    for (std::size_t v = row; v < row + hog_block_cells; ++v) {
        for (std::size_t u = column; u < column + hog_block_cells; ++u)
            out = std::ranges::copy(cells.at(u, v), out).out;
    }
    normalise(block);
    return block;
}

/// How many blocks there are in a row.
std::size_t blocks_across(std::size_t side) {
    const std::size_t across = side / hog_cell;
    if (side % hog_cell == 0 && across >= hog_block_cells) return across - hog_block_cells + 1;
    throw usage_error(
        fmt::format("gradients are counted in cells of {} px, in blocks of {}: an image of {} px "
                    "cannot be divided so",
                    hog_cell, hog_block_cells, side));
}

} // namespace

std::size_t hog_size(std::size_t side) {
    return blocks_across(side) * blocks_across(side) * std::tuple_size_v<Block>;
}

std::vector<float> hog(std::span<const float> image, std::size_t side) {
    std::vector<float> features;
    features.reserve(hog_size(side));
    const Cells cells = cells_of(image, side);
    for (std::size_t row = 0; row < blocks_across(side); ++row) {
        for (std::size_t column = 0; column < blocks_across(side); ++column) {
            const Block block = block_at(column, row, cells);
            features.insert(features.end(), block.begin(), block.end());
        }
    }
    return features;
}

} // namespace sprig::baselines
