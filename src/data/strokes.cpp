#include "sprig/strokes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "core/centre.h"
#include "sprig/error.h"

// Draws strokes. Only operations that IEEE 754 defines to the last bit are used (+ - * / and the square
// root), so that the image is the same on every machine.

namespace sprig {

namespace {

struct Position {
    double x = 0;
    double y = 0;
};

/// The smallest rectangle with all points.
struct Bounds {
    double left = std::numeric_limits<double>::infinity();
    double top = std::numeric_limits<double>::infinity();
    double right = -std::numeric_limits<double>::infinity();
    double bottom = -std::numeric_limits<double>::infinity();

    void add(const StrokePoint& point) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
    }
    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
    [[nodiscard]] double longer() const { return std::max(width(), height()); }
};

void check_stroke_params(const StrokeParams& params) {
    if (params.box < 1 || params.side < params.box || params.side > 1024) {
        throw usage_error(
            fmt::format("a drawing of {} px does not fit into a square of {} px: the square may have up to "
                        "1024 px, and the drawing at most as many as the square",
                        params.box, params.side));
    }
    if (!(params.pen > 0 && params.pen <= 1))
        throw usage_error(fmt::format("the pen has the width {}, but it must be above 0 and at most 1 (a "
                                      "share of the drawing)",
                                      params.pen));
}

void check_coordinate(double value, std::size_t stroke, std::size_t point) {
    if (std::isfinite(value) && std::abs(value) <= max_stroke_coordinate) return;
    throw bad_input(fmt::format("point {} of stroke {} has the coordinate {:g}, but coordinates must be "
                                "from -{:g} to {:g}; scale the drawing down",
                                point + 1, stroke + 1, value, max_stroke_coordinate, max_stroke_coordinate));
}

/// Throws unless the strokes can be drawn.
Bounds checked_bounds(const Strokes& strokes) {
    Bounds bounds;
    std::size_t points = 0;
    for (std::size_t s = 0; s < strokes.size(); ++s) {
        points += strokes[s].size();
        if (points > max_stroke_points) break;
        for (std::size_t p = 0; p < strokes[s].size(); ++p) {
            check_coordinate(strokes[s][p].x, s, p);
            check_coordinate(strokes[s][p].y, s, p);
            bounds.add(strokes[s][p]);
        }
    }
    if (points == 0) throw bad_input("the drawing has no points; give it at least one");
    if (points > max_stroke_points)
        throw bad_input(fmt::format("the drawing has more than {} points; leave out points that lie close "
                                    "together",
                                    max_stroke_points));
    return bounds;
}

/// The part of an image around a drawing, and where the points of the drawing are in it.
class Canvas {
  public:
    Canvas(const Bounds& bounds, const StrokeParams& params) : bounds_(bounds) {
        // A drawing without extent fills the box, too: a picture of a dot does so when it is normalised.
        const bool is_dot = bounds.longer() == 0;
        const double pen = is_dot ? params.box : params.pen * params.box;
        radius_ = pen / 2;
        extent_ = is_dot ? 1 : bounds.longer();
        length_ = params.box - pen;
        const auto pixels = [&](double ink) {
            return std::min(params.box, static_cast<int>(std::ceil(ink)));
        };
        const double ink_width = (bounds.width() / extent_ * length_) + pen;
        const double ink_height = (bounds.height() / extent_ * length_) + pen;
        width_ = pixels(ink_width);
        height_ = pixels(ink_height);
        origin_ = {((width_ - ink_width) / 2) + radius_, ((height_ - ink_height) / 2) + radius_};
        squares_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_),
                        std::numeric_limits<double>::infinity());
    }

    void draw(const Stroke& stroke) {
        if (stroke.size() == 1) draw(placed(stroke[0]), placed(stroke[0]));
        for (std::size_t i = 1; i < stroke.size(); ++i) draw(placed(stroke[i - 1]), placed(stroke[i]));
    }

    /// In px of the canvas.
    [[nodiscard]] StrokePlacement placement() const {
        const double scale = length_ / extent_;
        return {scale, origin_.x - (bounds_.left * scale), origin_.y - (bounds_.top * scale)};
    }

    [[nodiscard]] Image image() const {
        Image result(width_, height_);
        for (std::size_t i = 0; i < squares_.size(); ++i) {
            // The share of a pixel that the pen covers, if the edge of the pen were straight.
            const double covered = std::clamp(radius_ - std::sqrt(squares_[i]) + 0.5, 0.0, 1.0);
            result.pixels[i] = static_cast<std::uint8_t>(std::lround(covered * 255));
        }
        return result;
    }

  private:
    /// Divides before it multiplies, so that no extent of a drawing is too small.
    [[nodiscard]] Position placed(const StrokePoint& point) const {
        return {origin_.x + ((point.x - bounds_.left) / extent_ * length_),
                origin_.y + ((point.y - bounds_.top) / extent_ * length_)};
    }

    /// Updates the distances of the pixels near a line.
    void draw(Position from, Position to) {
        // In one direction, so that rounding does not depend on that of the pen.
        if (std::tie(to.x, to.y) < std::tie(from.x, from.y)) std::swap(from, to);
        const Position along{to.x - from.x, to.y - from.y};
        const double square = (along.x * along.x) + (along.y * along.y);
        const double reach = radius_ + 1;
        const auto [first_column, last_column] = range(from.x, to.x, reach, width_);
        const auto [first_row, last_row] =
            range(std::min(from.y, to.y), std::max(from.y, to.y), reach, height_);
        for (int row = first_row; row < last_row; ++row) {
            for (int column = first_column; column < last_column; ++column) {
                const Position off{column + 0.5 - from.x, row + 0.5 - from.y};
                double share = 0; // of the line, up to the point that is nearest to the pixel
                if (square > shortest) share = ((off.x * along.x) + (off.y * along.y)) / square;
                share = std::clamp(share, 0.0, 1.0);
                const double x = off.x - (share * along.x);
                const double y = off.y - (share * along.y);
                double& least = squares_[(static_cast<std::size_t>(row) * static_cast<std::size_t>(width_)) +
                                         static_cast<std::size_t>(column)];
                least = std::min(least, (x * x) + (y * y));
            }
        }
    }

    /// The pixels within reach of a line from `low` to `high`: the first, and the one after the last.
    [[nodiscard]] static std::pair<int, int> range(double low, double high, double reach, int size) {
        return {std::clamp(static_cast<int>(low - reach), 0, size),
                std::clamp(static_cast<int>(high + reach) + 1, 0, size)};
    }

    static constexpr double shortest = 1e-18; ///< the square of a line that is a point

    Bounds bounds_;
    double extent_ = 1; ///< of the drawing, in its own unit
    double length_ = 0; ///< of that extent on the canvas, px
    double radius_ = 0; ///< of the pen, px
    Position origin_;   ///< of the bounds' corner, px
    int width_ = 0;
    int height_ = 0;
    std::vector<double> squares_; ///< of each pixel: the square of its distance to the nearest line, px
};

Canvas drawn(const Strokes& strokes, const StrokeParams& params) {
    check_stroke_params(params);
    Canvas canvas(checked_bounds(strokes), params);
    for (const Stroke& stroke : strokes) canvas.draw(stroke);
    return canvas;
}

} // namespace

Image render(const Strokes& strokes, const StrokeParams& params) {
    return centre_by_mass(drawn(strokes, params).image(), params.side);
}

StrokePlacement placement(const Strokes& strokes, const StrokeParams& params) {
    const Canvas canvas = drawn(strokes, params);
    const CentredCorner corner = centred_corner(canvas.image(), params.side);
    StrokePlacement placement = canvas.placement();
    placement.left += corner.left;
    placement.top += corner.top;
    return placement;
}

} // namespace sprig
