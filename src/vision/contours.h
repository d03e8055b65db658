#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vision/binary_image.h"
#include "vision/directions.h"

namespace sprig {

/// A pixel, or the sum of two.
struct PixelPoint {
    std::int32_t x = 0;
    std::int32_t y = 0;

    bool operator==(const PixelPoint&) const = default;
};

/// The change of coordinates that a step makes.
inline constexpr std::array<PixelPoint, step_count> step_offsets = {
    {{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// Converts the index of a pixel in memory to its coordinates.
class PixelGrid {
  public:
    explicit PixelGrid(std::uint32_t stride = 1)
        : stride_(stride), reciprocal_(((std::uint64_t{1} << shift) / stride) + 1) {}

    [[nodiscard]] PixelPoint at(std::uint32_t index) const {
        // A division by the stride. It is exact while index * stride < 2^44, which images of up to 2^14 px a
        // side never reach.
        const auto y = static_cast<std::uint32_t>((index * reciprocal_) >> shift);
        return {static_cast<std::int32_t>(index - (y * stride_)), static_cast<std::int32_t>(y)};
    }

  private:
    static constexpr unsigned shift = 44;
    std::uint32_t stride_;
    std::uint64_t reciprocal_;
};

/// One closed contour: adjacent ink pixels with the ink on the left (outer boundaries counterclockwise, holes
/// clockwise).
struct TracedContour {
    std::span<const std::uint8_t> steps;    ///< by point: see `step`. Seven more bytes can be read
    std::span<const std::uint32_t> indices; ///< by point: its pixel's index in memory
    PixelGrid grid;
    int depth = 0; ///< nesting depth: even is an outer boundary, odd a hole

    [[nodiscard]] std::size_t size() const { return steps.size(); }
    /// The step from a point to the next one. A contour of one point has none.
    [[nodiscard]] Step step(std::size_t point) const { return steps[point] & (step_count - 1); }
    [[nodiscard]] PixelPoint point(std::size_t i) const { return grid.at(indices[i]); }
    /// The position, in half px, at a place given in half steps from the first point.
    [[nodiscard]] PixelPoint at_half_step(std::size_t place) const {
        const PixelPoint from = point(place / 2);
        const PixelPoint half = step_offsets[step(place / 2)];
        const auto odd = static_cast<std::int32_t>(place % 2);
        return {(2 * from.x) + (odd * half.x), (2 * from.y) + (odd * half.y)};
    }
};

/// Traces the contours of a binary image: the borders of Suzuki and Abe (1985), which are the contours of
/// cv::findContours with RETR_TREE and CHAIN_APPROX_NONE, point by point. Reuses its memory.
///
/// A border is followed by table: the step by which a pixel was reached and its eight neighbours determine
/// the next step. It is followed from its start in both directions at once until both meet, because each step
/// has to wait for the one before it, and two walks wait at the same time.
///
/// Borders start at the ends of runs of ink. In raster order, a left end that no border has passed starts an
/// outer border, and a right end starts a hole's. Every end is passed exactly once, so when the borders have
/// passed all ends, all have been found. A digit mostly has one border: no search follows its first.
class ContourFinder {
  public:
    ContourFinder();

    /// Contours with at least `min_points` points, in canonical order: by first point, row by row. The first
    /// point is the topmost, then leftmost one (of a hole, the pixel to the left of that). No two contours
    /// start at the same pixel, so the order is total. The result is valid until the next call.
    std::span<const TracedContour> find(const BinaryImage& image, std::size_t min_points);

  private:
    /// What to do at a pixel.
    struct Move {
        std::int32_t offset; ///< to the next pixel, in memory
        std::uint16_t row;   ///< first table index for the next pixel
        std::uint8_t step;
        std::uint8_t passed; ///< see `passed_left` and `passed_right`; their number is in the top two bits
    };
    /// The step that leads to a pixel (forward) or from it (backward), then its neighbours.
    using MoveTable = std::array<Move, 256UL * step_count>;

    /// The borders that pass the two ends of a run.
    struct RunBorders {
        std::uint32_t left;
        std::uint32_t right;
    };
    struct Border {
        std::size_t begin = 0; ///< in `steps_` and `indices_`
        std::size_t size = 0;
        std::uint32_t parent = 0;
        int depth = 0;
        bool is_hole = false;
    };

    static Move forward_move(Step reached_by, unsigned neighbours);
    static Move backward_move(Step left_by, unsigned neighbours);
    void set_stride(int stride);
    [[nodiscard]] std::int32_t offset_of(Step step) const {
        return (step_offsets[step].y * stride_) + step_offsets[step].x;
    }
    void map_neighbours(const BinaryImage& image);
    void find_borders(const BinaryImage& image);
    /// Follows a border and appends it. Returns the number of ends of runs that it passes.
    std::size_t add_border(bool is_hole, std::uint32_t start, std::uint32_t parent);
    std::size_t follow(std::uint32_t start, Step towards_last);
    void record_ends(const BinaryImage& image, std::uint32_t border);
    [[nodiscard]] std::uint32_t parent_of(bool is_hole, std::size_t run, bool is_first_in_row) const;
    void make_room();

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    int stride_ = 0;
    PixelGrid grid_;
    MoveTable forward_;
    MoveTable backward_;
    std::array<std::array<Step, 256>, 2> first_step_; ///< of outer borders and of holes
    std::vector<std::uint8_t> neighbours_;            ///< by pixel
    std::vector<RunBorders> run_borders_;             ///< by run
    std::vector<std::uint8_t> steps_;
    std::vector<std::uint32_t> indices_;
    std::size_t used_ = 0;                  ///< points of all borders
    static constexpr std::size_t spare = 8; ///< unused at the end, so that steps can be read in groups
    std::vector<Border> borders_;
    std::vector<TracedContour> found_;
};

} // namespace sprig
