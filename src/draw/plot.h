#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"
#include "sprig/draw_model.h"

namespace sprig::draw {

inline constexpr double tick_size = 11; ///< of the numbers and names around a plot, in px

/// How a curve looks.
struct LineLook {
    std::string_view colour;
    double width = 1.5;
    bool dashed = false;
};

[[nodiscard]] Attributes stroke(std::string_view colour, double width);
[[nodiscard]] Attributes line_attributes(const LineLook& look);

struct PlotLine {
    const Curve* curve = nullptr;
    LineLook look;
};

/// The y axis: it begins at 0.
struct Scale {
    double top = 1;
    double step = 0.2;
    std::string title;
    std::function<std::string(double)> tick;  ///< how a number is written at the axis ...
    std::function<std::string(double)> value; ///< ... and at the end of a line
};

/// The least round scale that holds a value.
[[nodiscard]] Scale count_scale(double greatest, std::string title);
[[nodiscard]] Scale accuracy_scale();

/// The field within the axes. Evaluations stand in the middle of equal columns.
struct Field {
    Point corner;
    double width = 0;
    double height = 0;
    double top_value = 1;
    std::size_t columns = 1;             ///< whole cycles
    std::size_t per_cycle = 0;           ///< 0: there are no cycles
    std::vector<std::string> names = {}; ///< of the columns; empty: numbers
    std::string x_title = "evaluation";

    [[nodiscard]] double column_width() const { return width / static_cast<double>(columns); }
    [[nodiscard]] double bottom() const { return corner.y + height; }
    [[nodiscard]] double right() const { return corner.x + width; }
    [[nodiscard]] Point operator()(std::size_t evaluation, double value) const {
        return {corner.x + ((static_cast<double>(evaluation) + 0.5) * column_width()),
                bottom() - (value / top_value * height)};
    }
};

/// Finds the room for the field: what heading, axes and the names at the right leave of the figure.
/// Throws Error(usage) if that is nothing.
[[nodiscard]] Field field_of(const CurvePlot& plot, std::span<const PlotLine> lines, const Scale& scale,
                             double top);

void draw_bands(Svg& svg, const Field& field);
void draw_axes(Svg& svg, const Field& field, const Scale& scale);
/// The line, in as many pieces as its gaps make of it; a value between two gaps is a dot.
void draw_line(Svg& svg, const Field& field, const PlotLine& line);
/// The names of the lines and their last values, each at the height of its line's end or as near as the
/// others let it.
void draw_names(Svg& svg, const Field& field, std::span<const PlotLine> lines, const Scale& scale);

/// What the names take at the right of the field.
[[nodiscard]] double names_width(std::span<const PlotLine> lines, const Scale& scale);

} // namespace sprig::draw
