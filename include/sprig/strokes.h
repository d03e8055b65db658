#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// A point of a pen stroke, in any unit. y grows downwards, as in images. The time is not used yet.
struct StrokePoint {
    double x = 0;
    double y = 0;
    std::optional<double> t = {};

    bool operator==(const StrokePoint&) const = default;
};

/// A drawing as the pen made it: a list of strokes, each a list of points that straight lines connect. One
/// point is a dot. The order of the strokes and their directions do not matter.
using Stroke = std::vector<StrokePoint>;
using Strokes = std::vector<Stroke>;

/// More points in one drawing are rejected.
inline constexpr std::size_t max_stroke_points = 16384;
/// Coordinates beyond this, positive or negative, are rejected.
inline constexpr double max_stroke_coordinate = 1e9;

/// How strokes become an image like MNIST's.
struct StrokeParams {
    /// Width of the pen, as a share of `box`. The default was chosen by measurement; see docs/method.md.
    double pen = 0.08;
    /// Length of the ink's longer side, px.
    int box = 20;
    /// Side of the image, a square in which the ink is centred by mass, px.
    int side = 28;
};

/// Draws strokes with a round pen and soft edges: 255 is ink. The ratio of width to height is kept. A drawing
/// whose points are all equal becomes a disc. The image is the same on every machine. Throws Error(bad_input)
/// if there are no points or too many, or if a coordinate is too large or not a number, and Error(usage) if a
/// parameter is out of range.
[[nodiscard]] Image render(const Strokes& strokes, const StrokeParams& params = {});

/// Where `render` puts the points of a drawing: (x, y) at (left + scale * x, top + scale * y), in px from the
/// corner of the image. The scale is 0 if all points are equal.
struct StrokePlacement {
    double scale = 0;
    double left = 0;
    double top = 0;
};
/// Throws as `render` does.
[[nodiscard]] StrokePlacement placement(const Strokes& strokes, const StrokeParams& params = {});

/// A drawing with its label.
struct LabelledStrokes {
    std::string label; ///< empty if unlabelled
    Strokes strokes;
};

/// Reads a drawing from JSON: {"label": "arrow", "strokes": [[[x, y], [x, y, t], ...], ...]}. The label may
/// be missing; other keys are ignored. Throws Error(bad_input) if the text is anything else.
[[nodiscard]] LabelledStrokes parse_strokes(std::string_view json);

} // namespace sprig
