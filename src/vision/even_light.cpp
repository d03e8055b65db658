#include "vision/even_light.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vision/area_scale.h"
#include "vision/components.h"

namespace sprig {

namespace {

/// Cells along the shorter side of the grid.
constexpr int shorter_cells = 48;
/// Window radii in cells. The small window follows the edge of a shadow, but fits into large ink, too. The
/// large one fits into less than half of the picture.
constexpr int small_radius = 5;
constexpr int large_radius = 14;
/// Where the small window finds less than this share of what the large one finds, there is a shadow or wide
/// ink.
constexpr int darker_percent = 97;
/// Where it finds less than this share, it is ink: a shadow is not as dark.
constexpr int ink_percent = 45;
/// Darker paper than this tells nothing about the light on it.
constexpr std::int32_t darkest_paper = 24 * Grid::one_level;

/// A grid with `margin` more cells on each side: a value at distance d outside and that at distance d inside
/// have the mean of the value at the edge.
Grid extended(const Grid& grid, int margin) {
    Grid result(grid.width + (2 * margin), grid.height + (2 * margin));
    for (int y = 0; y < grid.height; ++y) {
        for (int x = 0; x < grid.width; ++x) result.at(margin + x, margin + y) = grid.at(x, y);
        for (int d = 1; d <= margin; ++d) {
            result.at(margin - d, margin + y) = (2 * grid.at(0, y)) - grid.at(d, y);
            result.at(margin + grid.width - 1 + d, margin + y) =
                (2 * grid.at(grid.width - 1, y)) - grid.at(grid.width - 1 - d, y);
        }
    }
    const int bottom = margin + grid.height - 1;
    for (int x = 0; x < result.width; ++x) {
        for (int d = 1; d <= margin; ++d) {
            result.at(x, margin - d) = (2 * result.at(x, margin)) - result.at(x, margin + d);
            result.at(x, bottom + d) = (2 * result.at(x, bottom)) - result.at(x, bottom - d);
        }
    }
    return result;
}

/// Replaces each of `count` values, which are `stride` apart, by the extreme of those up to `radius` away
/// (van Herk and Gil-Werman: blocks as long as the window, extremes from both ends of each).
class LineFilter {
  public:
    template <class Extreme>
    void run(std::int32_t* values, std::size_t count, std::size_t stride, std::size_t radius,
             const Extreme& extreme) {
        const std::size_t window = (2 * radius) + 1;
        forward_.resize(count);
        backward_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::int32_t value = values[i * stride];
            forward_[i] = i % window == 0 ? value : extreme(forward_[i - 1], value);
        }
        for (std::size_t i = count; i-- > 0;) {
            const std::int32_t value = values[i * stride];
            const bool is_last = i + 1 == count || (i + 1) % window == 0;
            backward_[i] = is_last ? value : extreme(backward_[i + 1], value);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t begin = i > radius ? i - radius : 0;
            const std::size_t last = std::min(count - 1, i + radius);
            // Within one block, one of the two covers the window only if the window was cut off at an end.
            values[i * stride] = begin / window == last / window
                                     ? (begin == 0 ? forward_[last] : backward_[begin])
                                     : extreme(backward_[begin], forward_[last]);
        }
    }

  private:
    std::vector<std::int32_t> forward_;
    std::vector<std::int32_t> backward_;
};

template <class Extreme>
void filter(Grid& grid, int radius, const Extreme& extreme) {
    LineFilter line;
    const auto width = static_cast<std::size_t>(grid.width);
    const auto height = static_cast<std::size_t>(grid.height);
    const auto reach = static_cast<std::size_t>(radius);
    for (std::size_t y = 0; y < height; ++y) line.run(&grid.cells[y * width], width, 1, reach, extreme);
    for (std::size_t x = 0; x < width; ++x) line.run(&grid.cells[x], height, width, reach, extreme);
}

std::int32_t greater(std::int32_t a, std::int32_t b) {
    return std::max(a, b);
}

std::int32_t lesser(std::int32_t a, std::int32_t b) {
    return std::min(a, b);
}

/// 255 where a grid has less than a percentage of another one, cell by cell.
Image cells_below(const Grid& grid, int percent, const Grid& other) {
    Image mask(grid.width, grid.height);
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        const bool is_below = 100 * std::int64_t{grid.cells[i]} < percent * std::int64_t{other.cells[i]};
        mask.pixels[i] = is_below ? 255 : 0;
    }
    return mask;
}

/// The closing with windows that are cut off at the edges: what lies along an edge is filled like ink.
Grid closed_inside(Grid grid, int radius) {
    filter(grid, radius, greater);
    filter(grid, radius, lesser);
    return grid;
}

/// Replaces what is much darker than the paper beside it and reaches the edge, such as a table. With even
/// light it is as dark as before, so that it can be told from the sheet.
void replace_at_tables(Grid& paper, const Grid& inside) {
    const Image is_table = cells_below(paper, ink_percent, inside);
    for (std::size_t i = 0; i < paper.cells.size(); ++i)
        if (is_table.pixels[i] != 0) paper.cells[i] = inside.cells[i];
}

/// Replaces what the small window finds by what the large one finds where that is in ink. What is darker and
/// touches no edge is ink: a shadow comes in from outside.
void replace_in_ink(Grid& small, const Grid& large) {
    const Components darker = find_components(cells_below(small, darker_percent, large).view(), 0);
    const Image is_ink = cells_below(small, ink_percent, large);
    for (std::size_t r = 0; r < darker.runs.size(); ++r) {
        const Components::Run& run = darker.runs[r];
        const Components::Part& part = darker.parts[darker.part_of[r]];
        const bool comes_in =
            part.left == 0 || part.top == 0 || part.right == small.width || part.bottom == small.height;
        for (int x = run.begin; x < run.end; ++x)
            if (!comes_in || is_ink.at(x, run.y) != 0) small.at(x, run.y) = large.at(x, run.y);
    }
}

/// Each cell and its neighbours in a row, weighted 1, 4 and 1, then the same in columns.
Grid smoothed(const Grid& grid) {
    const auto mean = [](std::int32_t before, std::int32_t at, std::int32_t after) {
        return (before + (4 * at) + after + 3) / 6;
    };
    Grid rows(grid.width, grid.height);
    for (int y = 0; y < grid.height; ++y) {
        for (int x = 0; x < grid.width; ++x) {
            rows.at(x, y) = mean(grid.at(std::max(0, x - 1), y), grid.at(x, y),
                                 grid.at(std::min(grid.width - 1, x + 1), y));
        }
    }
    Grid result(grid.width, grid.height);
    for (int y = 0; y < grid.height; ++y) {
        for (int x = 0; x < grid.width; ++x) {
            result.at(x, y) = mean(rows.at(x, std::max(0, y - 1)), rows.at(x, y),
                                   rows.at(x, std::min(grid.height - 1, y + 1)));
        }
    }
    return result;
}

std::int32_t median_of(std::vector<std::int32_t> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Where the centre of a pixel lies among the centres of cells: after cell `before`, at `share` / 256 of the
/// way to cell `after`.
struct BetweenCells {
    std::size_t before = 0;
    std::size_t after = 0;
    std::int32_t share = 0;
};

std::vector<BetweenCells> pixels_among_cells(int pixels, int cells) {
    std::vector<BetweenCells> result;
    result.reserve(static_cast<std::size_t>(pixels));
    const std::int64_t last = std::int64_t{256} * (cells - 1);
    for (std::int64_t i = 0; i < pixels; ++i) {
        const std::int64_t at = std::clamp<std::int64_t>(
            (256 * ((2 * i) + 1) * cells / (2 * std::int64_t{pixels})) - 128, 0, last);
        const auto before = static_cast<std::size_t>(at / 256);
        result.push_back({before, std::min(before + 1, static_cast<std::size_t>(cells - 1)),
                          static_cast<std::int32_t>(at % 256)});
    }
    return result;
}

std::int32_t between(std::int32_t before, std::int32_t after, std::int32_t share) {
    return ((before * (256 - share)) + (after * share)) / 256;
}

/// Calls `change` with each pixel of the picture and the value of the grid there, interpolated.
template <class Change>
void with_interpolated(Image& picture, const Grid& grid, const Change& change) {
    const std::vector<BetweenCells> columns = pixels_among_cells(picture.width, grid.width);
    const std::vector<BetweenCells> rows = pixels_among_cells(picture.height, grid.height);
    const auto width = static_cast<std::size_t>(grid.width);
    std::vector<std::int32_t> line(width);
    std::uint8_t* pixel = picture.pixels.data();
    for (const BetweenCells& row : rows) {
        for (std::size_t x = 0; x < width; ++x)
            line[x] =
                between(grid.cells[(row.before * width) + x], grid.cells[(row.after * width) + x], row.share);
        for (const BetweenCells& column : columns) {
            change(*pixel, between(line[column.before], line[column.after], column.share));
            ++pixel;
        }
    }
}

void negate(Image& picture) {
    for (std::uint8_t& v : picture.pixels) v = static_cast<std::uint8_t>(255 - v);
}

/// Light multiplies what paper and ink reflect.
void divide_by(Image& picture, Grid paper) {
    for (std::int32_t& level : paper.cells) level = std::max(level, darkest_paper);
    const auto typical = static_cast<std::uint32_t>(median_of(paper.cells));
    with_interpolated(picture, paper, [typical](std::uint8_t& v, std::int32_t here) {
        const auto level = static_cast<std::uint32_t>(here);
        v = static_cast<std::uint8_t>(std::min(255U, ((v * typical) + (level / 2)) / level));
    });
}

/// Dark paper reflects little, and part of that may be glare, which adds to the ink instead of multiplying
/// it. So the paper is subtracted, and the rest is multiplied by what the paper tells about the light, but
/// not by much.
void subtract(Image& picture, const Grid& paper) {
    const std::int32_t typical = median_of(paper.cells);
    constexpr std::int32_t one = 1024;
    const std::int32_t typical_light = one * std::max(typical, darkest_paper);
    with_interpolated(picture, paper, [=](std::uint8_t& v, std::int32_t here) {
        const std::int32_t factor =
            std::clamp(typical_light / std::max(here, darkest_paper), one * 2 / 3, one * 3 / 2);
        const std::int32_t ink = ((v * Grid::one_level) - here) * factor / one;
        const std::int32_t level = (typical + ink + (Grid::one_level / 2)) / Grid::one_level;
        v = static_cast<std::uint8_t>(std::clamp(level, 0, 255));
    });
}

} // namespace

Grid closed(const Grid& grid, int radius) {
    const int margin = 2 * radius; // a window that covers a cell of the grid ends within it
    Grid wide = extended(grid, margin);
    filter(wide, radius, greater);
    filter(wide, radius, lesser);
    Grid result(grid.width, grid.height);
    for (int y = 0; y < grid.height; ++y) {
        for (int x = 0; x < grid.width; ++x) result.at(x, y) = wide.at(margin + x, margin + y);
    }
    return result;
}

Grid estimate_paper(const Image& picture) {
    const Grid levels = mean_grid(picture, reduced_size(picture, shorter_cells));
    Grid paper = closed(levels, small_radius);
    Grid coarse = closed(levels, large_radius);
    replace_at_tables(coarse, closed_inside(levels, large_radius));
    replace_in_ink(paper, coarse);
    return smoothed(paper);
}

void even_light(Image& picture, bool dark_on_light) {
    if (dark_on_light) {
        divide_by(picture, estimate_paper(picture));
        return;
    }
    negate(picture);
    Grid paper = estimate_paper(picture);
    negate(picture);
    for (std::int32_t& level : paper.cells) level = (255 * Grid::one_level) - level;
    subtract(picture, paper);
}

} // namespace sprig
