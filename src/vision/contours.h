#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vision/binary_image.h"
#include "vision/directions.h"
#include "vision/ink_runs.h"

namespace sprig {

/// A pixel.
struct PixelPoint {
    std::int32_t x = 0;
    std::int32_t y = 0;

    bool operator==(const PixelPoint&) const = default;
};

/// The change of coordinates that a step makes.
inline constexpr std::array<PixelPoint, step_count> step_offsets = {
    {{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// A pixel, or the sum of two, in one number: a sum of two numbers adds both coordinates at once. Coordinates
/// are below 2^14, those of a sum below 2^15.
class PackedPoint {
  public:
    PackedPoint() = default;
    explicit constexpr PackedPoint(std::uint32_t value) : value_(value) {}

    [[nodiscard]] std::int32_t x() const { return static_cast<std::int32_t>(value_ & 0xFFFFU); }
    [[nodiscard]] std::int32_t y() const { return static_cast<std::int32_t>(value_ >> 16U); }

  private:
    std::uint32_t value_ = 0;
};

/// One closed contour: adjacent ink pixels with the ink on the left (outer boundaries counterclockwise, holes
/// clockwise).
struct TracedContour {
    const std::uint8_t* steps = nullptr;   ///< by point: see `step`. The first is repeated at the end, and 16
                                           ///< more bytes can be read
    const std::uint32_t* points = nullptr; ///< packed; the first is repeated at the end
    std::size_t size = 0;
    int depth = 0; ///< nesting depth: even is an outer boundary, odd a hole

    /// The step from a point to the next one. A contour of one point has none.
    [[nodiscard]] Step step(std::size_t point) const { return steps[point] & (step_count - 1); }
    [[nodiscard]] PixelPoint point(std::size_t i) const {
        const PackedPoint p(points[i]);
        return {p.x(), p.y()};
    }
    /// The position, in half px, at a place given in half steps from the first point.
    [[nodiscard]] PackedPoint at_half_step(std::size_t place) const {
        return PackedPoint(points[place / 2] + points[(place + 1) / 2]);
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

    /// The same in two steps: the number of parts of the ink is known before the number of points.
    void trace(const BinaryImage& image);
    [[nodiscard]] std::size_t part_count() const;
    std::span<const TracedContour> traced(std::size_t min_points);

  private:
    /// What to do at a pixel.
    struct Move {
        std::int32_t offset; ///< to the next pixel, in memory
        std::uint16_t row;   ///< first table index for the next pixel
        std::uint8_t code;   ///< the step, with flags: see `passed_left` and `passed_right`
    };

    /// The borders that pass the two ends of a run.
    struct RunBorders {
        std::uint32_t left;
        std::uint32_t right;
    };
    struct Border {
        std::size_t begin = 0; ///< in `steps_` and `points_`
        std::size_t size = 0;
        std::uint32_t parent = 0;
        int depth = 0;
        bool is_hole = false;
    };

    static Move forward_move(Step reached_by, unsigned neighbours);
    static Move backward_move(Step left_by, unsigned neighbours);
    void set_stride(unsigned stride_bits);
    [[nodiscard]] std::int32_t offset_of(Step step) const {
        return (step_offsets[step].y * (1 << stride_bits_)) + step_offsets[step].x;
    }
    [[nodiscard]] std::uint32_t index_of(int x, int y) const {
        return (static_cast<std::uint32_t>(y) << stride_bits_) + static_cast<std::uint32_t>(x);
    }
    /// Returns the number of runs of ink.
    std::size_t map_neighbours(const BinaryImage& image);
    void find_borders(const BinaryImage& image, std::size_t run_count);
    /// Follows a border and appends it. Returns the number of ends of runs that it passes.
    std::size_t add_border(bool is_hole, std::uint32_t start, std::uint32_t parent);
    void follow(std::uint32_t start, Step towards_last);
    void join(std::size_t low, std::size_t high, std::size_t end);
    [[nodiscard]] std::size_t ends_passed(std::size_t begin);
    void finish_border(std::size_t begin);
    void list_ends(const BinaryImage& image);
    void remove_ends();
    void label_runs(const BinaryImage& image);
    [[nodiscard]] std::uint32_t parent_of(const BinaryImage& image, bool is_hole, int x, int y);
    void make_room();

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    unsigned stride_bits_ = 0;
    /// By the step that leads to a pixel, then its neighbours: how to go on. After that, by the step that
    /// leads from a pixel, then its neighbours: how to go back.
    std::array<Move, 2UL * 256 * step_count> moves_;
    std::array<std::array<Step, 256>, 2> first_step_; ///< of outer borders and of holes
    std::vector<std::uint8_t> neighbours_;            ///< by pixel
    std::size_t row_words_ = 0;                       ///< of the following, per row
    std::vector<std::uint64_t> left_ends_;            ///< of runs, as bits: those that no border has passed
    std::vector<std::uint64_t> right_ends_;
    InkRuns runs_;                        ///< found if there are more than two borders
    std::vector<RunBorders> run_borders_; ///< by run, of the first `labelled_` borders
    std::uint32_t labelled_ = 0;
    std::vector<std::uint8_t> steps_;        ///< of all borders, with one more entry after each
    std::vector<std::uint32_t> points_;      ///< likewise, packed
    std::size_t used_ = 0;                   ///< of both
    static constexpr std::size_t spare = 32; ///< unused at the end, so that steps can be read in groups
    std::vector<Border> borders_;
    std::vector<TracedContour> found_;
};

} // namespace sprig
