#include "draw/plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/palette.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

constexpr double axis_room = 62;   ///< left of the field
constexpr double bottom_room = 46; ///< under it

/// 1, 2 or 5 times a power of ten: the least that is not less.
double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-12)) return factor * power;
    return 10 * power;
}

/// 12,345.
std::string grouped(double value) {
    std::string digits = fmt::format("{:.0f}", value);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

Attributes middle() {
    return Attributes().set("text-anchor", "middle");
}

/// How many numbers are skipped between two that are written, so that none touches the next.
std::size_t label_step(std::size_t count, double width_each) {
    const double widest_label = text_width(std::to_string(count), tick_size) + 10;
    return static_cast<std::size_t>(round_step(std::max(1.0, widest_label / width_each)));
}

void draw_cycle_axis(Svg& svg, const Field& field) {
    const std::size_t cycles = field.columns / field.per_cycle;
    const double width = field.column_width() * static_cast<double>(field.per_cycle);
    const std::size_t step = label_step(cycles, width);
    for (std::size_t cycle = 0; cycle < cycles; cycle += step)
        svg.text({field.corner.x + ((static_cast<double>(cycle) + 0.5) * width), field.bottom() + 18},
                 std::to_string(cycle), tick_size, middle());
}

void draw_column_names(Svg& svg, const Field& field) {
    for (std::size_t i = 0; i < std::min(field.columns, field.names.size()); ++i)
        svg.text({field(i, 0).x, field.bottom() + 18}, field.names[i], tick_size, middle());
}

void draw_evaluation_axis(Svg& svg, const Field& field) {
    if (!field.names.empty()) {
        draw_column_names(svg, field);
        return;
    }
    const std::size_t step = label_step(field.columns, field.column_width());
    for (std::size_t i = step; i <= field.columns; i += step)
        svg.text({field(i - 1, 0).x, field.bottom() + 18}, std::to_string(i), tick_size, middle());
}

/// One tick for each evaluation, as long as they can be told apart.
void draw_evaluation_ticks(Svg& svg, const Field& field) {
    constexpr double closest = 3;
    if (field.column_width() < closest) return;
    PathData ticks;
    for (std::size_t i = 0; i < field.columns; ++i) {
        const double x = field(i, 0).x;
        ticks.move({x, field.bottom()}).line({x, field.bottom() + 4});
    }
    svg.path(ticks, stroke(contour_colour, 0.8).set("fill", "none").set("class", "ticks"));
}

void draw_x_axis(Svg& svg, const Field& field) {
    draw_evaluation_ticks(svg, field);
    if (field.per_cycle > 0)
        draw_cycle_axis(svg, field);
    else
        draw_evaluation_axis(svg, field);
    const std::string title = field.per_cycle > 0
                                  ? fmt::format("cycle of {}", counted(field.per_cycle, "evaluation"))
                                  : field.x_title;
    svg.text({field.corner.x + (field.width / 2), field.bottom() + 38}, title, note_size, middle());
}

void draw_y_axis(Svg& svg, const Field& field, const Scale& scale) {
    const auto steps = static_cast<int>(std::lround(scale.top / scale.step));
    for (int i = 0; i <= steps; ++i) {
        const double y = field(0, i * scale.step).y;
        if (i > 0) svg.line({field.corner.x, y}, {field.right(), y}, stroke(grid_colour, 0.8));
        svg.text({field.corner.x - 8, y + 4}, scale.tick(i * scale.step), tick_size,
                 Attributes().set("text-anchor", "end"));
    }
    const Point at{margin + 10, field.corner.y + (field.height / 2)};
    svg.text(at, scale.title, note_size,
             middle().set("transform", fmt::format("rotate(-90 {} {})", number(at.x), number(at.y))));
}

} // namespace

Attributes stroke(std::string_view colour, double width) {
    return Attributes().set("stroke", colour).set("stroke-width", width);
}

Attributes line_attributes(const LineLook& look) {
    Attributes attributes = stroke(look.colour, look.width);
    attributes.set("fill", "none").set("stroke-linejoin", "round").set("stroke-linecap", "round");
    if (look.dashed) attributes.set("stroke-dasharray", "5 3");
    return attributes;
}

Scale count_scale(double greatest, std::string title) {
    constexpr double most_steps = 6;
    const double step = round_step(std::max(greatest, 1.0) / most_steps);
    const double top = step * std::max(1.0, std::ceil(greatest / step - 1e-9));
    const auto tick = [step](double value) { return step < 1 ? number(value) : grouped(value); };
    return {top, step, std::move(title), tick, grouped};
}

Scale accuracy_scale() {
    return {1, 0.2, "accuracy", [](double value) { return fmt::format("{:.1f}", value); },
            [](double value) { return fmt::format("{:.2f}", value); }};
}

Field field_of(const CurvePlot& plot, std::span<const PlotLine> lines, const Scale& scale, double top) {
    Field field{{margin + axis_room, top}, 0, 0, scale.top, 1, plot.per_cycle, plot.columns, plot.x_title};
    for (const PlotLine& line : lines) field.columns = std::max(field.columns, line.curve->values.size());
    if (plot.per_cycle > 0)
        field.columns = (field.columns + plot.per_cycle - 1) / plot.per_cycle * plot.per_cycle;
    field.width = plot.width - field.corner.x - names_width(lines, scale) - margin;
    field.height = plot.height - top - bottom_room - margin;
    constexpr double least = 40;
    if (field.width < least || field.height < least)
        throw usage_error(fmt::format("a plot of {} x {} px leaves no room beside its title and names",
                                      plot.width, plot.height));
    return field;
}

void draw_bands(Svg& svg, const Field& field) {
    if (field.per_cycle == 0) return;
    const double width = field.column_width() * static_cast<double>(field.per_cycle);
    for (std::size_t cycle = 1; cycle * field.per_cycle < field.columns; cycle += 2)
        svg.rect(field.corner + Point{static_cast<double>(cycle) * width, 0}, width, field.height,
                 Attributes().set("class", "band").set("fill", band_colour));
}

void draw_axes(Svg& svg, const Field& field, const Scale& scale) {
    draw_y_axis(svg, field, scale);
    draw_x_axis(svg, field);
    PathData axes;
    axes.move(field.corner).line({field.corner.x, field.bottom()}).line({field.right(), field.bottom()});
    svg.path(axes, stroke(ink_colour, 1).set("fill", "none").set("class", "axes"));
}

void draw_line(Svg& svg, const Field& field, const PlotLine& line) {
    const std::vector<double>& values = line.curve->values;
    const auto measured = [&](std::size_t i) { return i < values.size() && !std::isnan(values[i]); };
    PathData path;
    std::vector<Point> alone;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!measured(i)) continue;
        const Point at = field(i, values[i]);
        const bool goes_on = i > 0 && measured(i - 1);
        if (goes_on)
            path.line(at);
        else if (measured(i + 1))
            path.move(at);
        else
            alone.push_back(at);
    }
    const auto group = svg.group(Attributes().set("class", "curve"));
    if (!path.str().empty()) svg.path(path, line_attributes(line.look), line.curve->name);
    for (const Point at : alone)
        svg.circle(at, line.look.width, Attributes().set("fill", line.look.colour), line.curve->name);
}

} // namespace sprig::draw
