#include <algorithm>
#include <cmath>

#include "draw/layout.h"
#include "draw/legend.h"
#include "draw/marks.h"
#include "draw/network_marks.h"
#include "draw/palette.h"
#include "draw/panel.h"
#include "sprig/draw.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double caption_height = 34;

void draw_cell(Svg& svg, const ConstructionFigure& figure, const Frame& frame, const Reading& reading,
               const DrawOptions& options) {
    const auto group = svg.group(Attributes().set("class", "panel"));
    draw_shape(svg, frame, figure);
    draw_contours(svg, frame, figure.contours, 1);
    const Counts counts =
        draw_marks(svg, frame, figure.network, reading, {.level = options.level, .tooltips = false});
    if (figure.network.node_count() == 0) draw_remark(svg, frame, "no nodes");
    draw_frame(svg, frame);
    const Point at = frame.corner + Point{0, frame.size + 14};
    svg.text(at, fit_text(name_and_label(figure), count_size, frame.size), count_size);
    const std::string text = counted(counts.nodes, "node") + ", " + counted(counts.edges, "edge");
    svg.text(at + Point{0, 13}, fit_text(text, 10, frame.size), 10, Attributes().set("fill", soft_colour));
}

/// The largest of the schemas, since one legend must explain them all.
const Schema& widest_schema(std::span<const ConstructionFigure> figures) {
    const auto types = [](const ConstructionFigure& f) { return f.network.schema().node_types.size(); };
    return std::ranges::max_element(figures, {}, types)->network.schema();
}

} // namespace

std::string draw_sheet(std::span<const ConstructionFigure> figures, const DrawOptions& options) {
    if (figures.empty()) throw usage_error("there is nothing to draw on the sheet: give one image at least");
    const double side = panel_side(options, 190);
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(figures.size()))));
    const double row = (static_cast<double>(columns) * (side + panel_gap)) - panel_gap;
    const double width = std::max(row, legend_width) + (2 * margin);

    Svg svg;
    double bottom = margin;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const std::size_t rows_above = i / columns;
        const Point corner{margin + (static_cast<double>(i % columns) * (side + panel_gap)),
                           margin + (static_cast<double>(rows_above) * (side + caption_height + panel_gap))};
        draw_cell(svg, figures[i], {corner, side, window_around(figures[i])},
                  reading_of(figures[i].network.schema(), options), options);
        bottom = corner.y + side + caption_height;
    }
    const Schema& schema = widest_schema(figures);
    const Reading reading = reading_of(schema, options);
    const double legend_top = bottom + panel_gap;
    const double legend =
        draw_legend(svg, {margin, legend_top}, width - (2 * margin),
                    {.schema = schema, .reading = reading, .removed_nodes = options.level.has_value()});
    return svg.finish(width, legend_top + legend + margin, counted(figures.size(), "image") + " as networks",
                      "The shape, the contours and the network of each image, all levels in one.");
}

} // namespace sprig
