#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/plot.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double thick = 3;
constexpr double thin = 1.5;

/// The greatest value of all curves. Throws if there is none, or one that cannot be drawn.
double check_curves(const CurvePlot& plot, double most, std::string_view what) {
    double greatest = -1;
    for (const Curve& curve : plot.curves)
        for (const double value : curve.values) {
            if (std::isnan(value)) continue;
            if (!(value >= 0 && value <= most))
                throw usage_error(fmt::format("{} of the curve {} is not {}", value, curve.name, what));
            greatest = std::max(greatest, value);
        }
    if (greatest < 0) throw usage_error("there is nothing to plot: give one curve with one value at least");
    return greatest;
}

void check_size(const CurvePlot& plot) {
    constexpr double narrowest = 360;
    constexpr double lowest = 240;
    constexpr double most = 10000;
    if (!(plot.width >= narrowest && plot.width <= most && plot.height >= lowest && plot.height <= most))
        throw usage_error(fmt::format("a plot of {} x {} px cannot be drawn: choose {} x {} to {} x {} px",
                                      plot.width, plot.height, narrowest, lowest, most, most));
    constexpr std::size_t longest_cycle = 1'000'000;
    if (plot.per_cycle > longest_cycle)
        throw usage_error(fmt::format("a cycle of {} evaluations cannot be drawn: choose {} at most",
                                      plot.per_cycle, longest_cycle));
}

Curve mean_of(const std::vector<Curve>& curves) {
    Curve mean{"mean", {}};
    for (const Curve& curve : curves) mean.values.resize(std::max(mean.values.size(), curve.values.size()));
    for (std::size_t i = 0; i < mean.values.size(); ++i) {
        double sum = 0;
        int measured = 0;
        for (const Curve& curve : curves)
            if (i < curve.values.size() && !std::isnan(curve.values[i])) {
                sum += curve.values[i];
                ++measured;
            }
        mean.values[i] = measured > 0 ? sum / measured : std::numeric_limits<double>::quiet_NaN();
    }
    return mean;
}

/// One colour each; when the colours come again, the lines are dashed.
std::vector<PlotLine> series_lines(const std::vector<Curve>& curves) {
    std::vector<PlotLine> lines;
    for (std::size_t i = 0; i < curves.size(); ++i)
        lines.push_back({&curves[i], {series_colour(i), thin, i / series_colours % 2 == 1}});
    return lines;
}

void draw_learned_dot(Svg& svg, Point at, double radius, std::string_view colour) {
    svg.circle(at, radius, Attributes().set("fill", colour).set("stroke", "#fff").set("stroke-width", 0.8));
}

/// Where each curve's own class was learned.
void draw_learned(Svg& svg, const Field& field, const std::vector<Curve>& curves,
                  const std::vector<std::size_t>& learned) {
    if (learned.empty()) return;
    const auto group = svg.group(Attributes().set("class", "learned"));
    const double radius = std::clamp(field.column_width() * 0.35, 1.6, 2.8);
    for (std::size_t i = 0; i < learned.size(); ++i) {
        if (learned[i] >= curves.size())
            throw usage_error(fmt::format("evaluation {} follows curve {}, but there are only {}", i,
                                          learned[i], counted(curves.size(), "curve")));
        const std::vector<double>& values = curves[learned[i]].values;
        if (i < values.size() && !std::isnan(values[i]))
            draw_learned_dot(svg, field(i, values[i]), radius, series_colour(learned[i]));
    }
    constexpr std::string_view meaning = "just after its own class";
    const Point at{field.right() - text_width(meaning, count_size), field.bottom() + 38};
    draw_learned_dot(svg, at - Point{8, 4}, 2.8, contour_colour);
    svg.text(at, meaning, count_size, Attributes().set("fill", soft_colour));
}

} // namespace

std::string draw_retention(const CurvePlot& plot, const RetentionOptions& options) {
    check_size(plot);
    check_curves(plot, 1, "an accuracy from 0 to 1");
    std::vector<PlotLine> lines = series_lines(plot.curves);
    const Curve mean = mean_of(plot.curves);
    if (options.mean) lines.push_back({&mean, {ink_colour, thick}});

    Svg svg;
    const Scale scale = accuracy_scale();
    const Field field = field_of(plot, lines, scale, draw_heading(svg, plot.width, plot.title, plot.notes));
    draw_bands(svg, field);
    draw_axes(svg, field, scale);
    draw_names(svg, field, lines, scale);
    for (std::size_t i = 0; i < plot.curves.size(); ++i) draw_line(svg, field, lines[i]);
    draw_learned(svg, field, plot.curves, options.learned);
    if (options.mean) draw_line(svg, field, lines.back());
    return svg.finish(
        plot.width, plot.height, plot.title,
        fmt::format("The accuracy of {} along the stream.", counted(plot.curves.size(), "curve")));
}

std::string draw_growth(const CurvePlot& plot) {
    check_size(plot);
    const double greatest = check_curves(plot, 1e12, "a count from 0 to 10^12");
    std::vector<PlotLine> lines = series_lines(plot.curves);
    lines.front().look = {ink_colour, thick};
    if (lines.size() > 1) lines[1].look.colour = positive_colour;
    if (lines.size() > 2) lines[2].look.colour = negative_colour;

    Svg svg;
    const Scale scale = count_scale(greatest, plot.y_title);
    const Field field = field_of(plot, lines, scale, draw_heading(svg, plot.width, plot.title, plot.notes));
    draw_bands(svg, field);
    draw_axes(svg, field, scale);
    draw_names(svg, field, lines, scale);
    for (const PlotLine& line : lines) draw_line(svg, field, line);
    return svg.finish(plot.width, plot.height, plot.title,
                      plot.columns.empty()
                          ? fmt::format("How many {} there are along the stream.", plot.y_title)
                          : fmt::format("How many {}, by {}.", plot.y_title, plot.x_title));
}

std::vector<Curve> growth_curves(std::span<const Census> counts) {
    std::vector<Curve> curves = {{"units", {}}, {"positive", {}}, {"negative", {}}};
    for (const Census& census : counts) {
        curves[0].values.push_back(static_cast<double>(census.total()));
        curves[1].values.push_back(static_cast<double>(census.positive));
        curves[2].values.push_back(static_cast<double>(census.negative));
    }
    return curves;
}

} // namespace sprig
