#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

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

/// One panel. `draw` returns the line under the caption.
struct Panel {
    std::string caption;
    std::function<std::string(Svg&, const Frame&)> draw;
    Window window;
};

/// The data shared by all panels of a figure.
struct Construction {
    const ConstructionFigure& figure;
    const DrawOptions& options;
    SchemaStyle style;
    Window window;
};

std::string size_text(int width, int height) {
    return fmt::format("{} \xC3\x97 {} px", width, height);
}

/// Marks the part of the image that the following panels show enlarged.
void draw_window_outline(Svg& svg, const Frame& frame, const Window& window) {
    constexpr double inset = 2;
    const auto within = [&](Point p) {
        return Point{std::clamp(p.x, frame.corner.x + inset, frame.corner.x + frame.size - inset),
                     std::clamp(p.y, frame.corner.y + inset, frame.corner.y + frame.size - inset)};
    };
    const Point corner = within(frame(window.left, window.top));
    const Point extent = within(frame(window.left + window.side, window.top + window.side)) - corner;
    svg.rect(corner, extent.x, extent.y,
             Attributes().set("fill", "none").set("stroke", contour_colour).set("stroke-dasharray", "1.5 3"));
}

std::string draw_input_panel(Svg& svg, const Frame& frame, const Construction& scene) {
    draw_input(svg, frame, scene.figure.input);
    if (!scene.figure.params.deskew && !scene.figure.contours.empty())
        draw_window_outline(svg, frame, scene.window);
    return size_text(scene.figure.input.width, scene.figure.input.height);
}

std::string draw_contour_panel(Svg& svg, const Frame& frame, const Construction& scene) {
    draw_shape(svg, frame, scene.figure);
    draw_contours(svg, frame, scene.figure.contours, 1.6);
    const Counts counts =
        draw_marks(svg, frame, scene.figure.network, scene.style, NetworkLook{.edges = false});
    if (scene.figure.contours.empty()) draw_centred_text(svg, frame, "no contour");
    return format_count(scene.figure.contours.size(), "contour") + ", " +
           format_count(counts.nodes, "change point");
}

/// The number of edges of a level, or of the whole network, in all layers.
std::size_t edges_at(const Network& network, std::optional<std::uint32_t> level) {
    return static_cast<std::size_t>(
        std::count_if(network.edges().begin(), network.edges().end(), [&](const Edge& e) {
            return !level || (e.first_level <= *level && *level <= e.last_level);
        }));
}

std::string draw_network_panel(Svg& svg, const Frame& frame, const Construction& scene,
                               const NetworkLook& look) {
    draw_shape(svg, frame, scene.figure);
    const Counts counts = draw_marks(svg, frame, scene.figure.network, scene.style, look);
    if (scene.figure.network.node_count() == 0) draw_centred_text(svg, frame, "no nodes");
    const std::size_t all = edges_at(scene.figure.network, look.level);
    const std::string edges = counts.edges == all
                                  ? format_count(all, "edge")
                                  : fmt::format("{} of {}", counts.edges, format_count(all, "edge"));
    const std::string text = format_count(counts.nodes, "node") + ", " + edges;
    if (look.level) return fmt::format("level {}: {}", *look.level, text);
    return text + ", " + format_count(scene.figure.network.level_count(), "level");
}

void add_network_panel(std::vector<Panel>& panels, const Construction& scene, std::string caption,
                       const NetworkLook& look) {
    panels.push_back(
        {std::move(caption),
         [&scene, look](Svg& svg, const Frame& frame) { return draw_network_panel(svg, frame, scene, look); },
         scene.window});
}

void add_network_panels(std::vector<Panel>& panels, const Construction& scene) {
    const auto add = [&](std::string caption, const NetworkLook& look) {
        add_network_panel(panels, scene, std::move(caption), look);
    };
    if (scene.options.level) {
        add(fmt::format("Level {}", *scene.options.level), {.level = scene.options.level});
        add(fmt::format("Level {} in the whole network", *scene.options.level),
            {.highlight = scene.options.level});
        return;
    }
    const std::uint32_t levels = std::max(scene.figure.network.level_count(), 1U);
    add("Finest level", {.level = 0});
    add(levels == 1 ? "Coarsest level (the same)" : "Coarsest level", {.level = levels - 1});
    add("All levels in one network", {});
}

std::vector<Panel> panels_of(const Construction& scene) {
    std::vector<Panel> panels;
    if (scene.figure.original) {
        const Picture& picture = *scene.figure.original;
        panels.push_back({"Picture",
                          [&picture](Svg& svg, const Frame& frame) {
                              draw_picture(svg, frame, picture);
                              return size_text(picture.width, picture.height);
                          },
                          {}});
    }
    panels.push_back({scene.figure.original ? "Normalised image" : "Input",
                      [&scene](Svg& svg, const Frame& frame) { return draw_input_panel(svg, frame, scene); },
                      window_of(scene.figure.input)});
    panels.push_back(
        {"Contours and change points",
         [&scene](Svg& svg, const Frame& frame) { return draw_contour_panel(svg, frame, scene); },
         scene.window});
    add_network_panels(panels, scene);
    return panels;
}

std::string parameters_text(const FrontEndParams& params) {
    std::string text = fmt::format("ink threshold {}, {} directions", params.threshold, params.directions);
    if (params.resolution > 0) {
        text += fmt::format(", enlarged to about {} px", params.resolution);
    } else if (params.scale != 1) {
        text += fmt::format(", enlarged {} times", params.scale);
    }
    if (params.deskew) text += ", deskewed";
    if (params.min_persistence > 0) text += fmt::format(", minimum extent {} px", params.min_persistence);
    if (params.finest_only) text += ", finest level only";
    return text;
}

std::string layers_text(const Schema& schema, const SchemaStyle& style) {
    std::string text;
    for (std::size_t layer = 0; layer < schema.layers.size(); ++layer)
        if (style.shown[layer]) text += (text.empty() ? "" : ", ") + schema.layers[layer];
    return "layers drawn: " + text;
}

void draw_caption(Svg& svg, const Frame& frame, std::size_t rank, const std::string& caption,
                  const std::string& counts) {
    const Point at = frame.corner + Point{0, frame.size + 20};
    const std::string text =
        fmt::format("({}) {}", static_cast<char>('a' + static_cast<char>(rank)), caption);
    svg.text(at, fit_text(text, caption_size * 1.05, frame.size), caption_size,
             Attributes().set("font-weight", "bold"));
    svg.text(at + Point{0, 17}, fit_text(counts, count_size, frame.size), count_size,
             Attributes().set("fill", soft_colour));
}

/// Draws a heading, the panels in a row, and the legend.
std::string draw_panels(const Construction& scene, const std::vector<Panel>& panels,
                        const std::string& description) {
    const ConstructionFigure& figure = scene.figure;
    const Schema& schema = figure.network.schema();
    const double side = panel_side(scene.options, 280);
    const double row = (static_cast<double>(panels.size()) * (side + panel_gap)) - panel_gap;
    const double width = std::max(row, min_legend_width) + (2 * margin);

    Svg svg;
    std::vector<std::string> lines{parameters_text(figure.params) + "; " + layers_text(schema, scene.style)};
    lines.insert(lines.end(), figure.notes.begin(), figure.notes.end());
    const double top = draw_heading(svg, width, name_and_label(figure), lines);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const Frame frame{
            {margin + (static_cast<double>(i) * (side + panel_gap)), top}, side, panels[i].window};
        const auto group = svg.group(Attributes().set("class", "panel"));
        const std::string counts = panels[i].draw(svg, frame);
        draw_frame(svg, frame);
        draw_caption(svg, frame, i, panels[i].caption, counts);
    }
    const double legend_top = top + side + 60;
    const double legend = draw_legend(svg, {margin, legend_top}, width - (2 * margin),
                                      {.schema = schema,
                                       .style = scene.style,
                                       .removed_nodes = true,
                                       .levels = figure.network.level_count()});
    return svg.finish(width, legend_top + legend + margin, "From image to network: " + name_and_label(figure),
                      description);
}

} // namespace

std::string draw_construction(const ConstructionFigure& figure, const DrawOptions& options) {
    check_level(figure.network, figure.name, options.level);
    const Construction scene{figure, options, schema_style(figure.network.schema(), options),
                             window_around(figure)};
    return draw_panels(scene, panels_of(scene),
                       fmt::format("The image, its contours with {}, and its network of {} on {}.",
                                   format_count(figure.network.node_count(), "change point"),
                                   format_count(figure.network.edge_count(), "edge"),
                                   format_count(figure.network.level_count(), "level")));
}

std::string draw_levels(const ConstructionFigure& figure, std::span<const std::uint32_t> levels,
                        const DrawOptions& options) {
    for (const std::uint32_t level : levels) check_level(figure.network, figure.name, level);
    const Construction scene{figure, options, schema_style(figure.network.schema(), options),
                             window_around(figure)};
    std::vector<Panel> panels;
    for (const std::uint32_t level : levels)
        add_network_panel(panels, scene, fmt::format("Level {}", level), {.level = level});
    add_network_panel(panels, scene, "All levels, one network", {});
    return draw_panels(scene, panels,
                       fmt::format("The network of {} at {}, and as a whole with {}.",
                                   format_count(figure.network.node_count(), "change point"),
                                   format_count(levels.size(), "level"),
                                   format_count(figure.network.edge_count(), "edge")));
}

namespace {

constexpr double sheet_caption_height = 34;

void draw_cell(Svg& svg, const ConstructionFigure& figure, const Frame& frame, const SchemaStyle& style,
               const DrawOptions& options) {
    const auto group = svg.group(Attributes().set("class", "panel"));
    draw_shape(svg, frame, figure);
    draw_contours(svg, frame, figure.contours, 1);
    const Counts counts =
        draw_marks(svg, frame, figure.network, style, {.level = options.level, .tooltips = false});
    if (figure.network.node_count() == 0) draw_centred_text(svg, frame, "no nodes");
    draw_frame(svg, frame);
    const Point at = frame.corner + Point{0, frame.size + 14};
    svg.text(at, fit_text(name_and_label(figure), count_size, frame.size), count_size);
    const std::string text = format_count(counts.nodes, "node") + ", " + format_count(counts.edges, "edge");
    svg.text(at + Point{0, 13}, fit_text(text, 10, frame.size), 10, Attributes().set("fill", soft_colour));
}

/// The schema with most node types: one legend must explain all of them.
const Schema& widest_schema(std::span<const ConstructionFigure> figures) {
    const auto types = [](const ConstructionFigure& f) { return f.network.schema().node_types.size(); };
    return std::ranges::max_element(figures, {}, types)->network.schema();
}

} // namespace

std::string draw_sheet(std::span<const ConstructionFigure> figures, const DrawOptions& options) {
    if (figures.empty())
        throw usage_error("there is nothing to draw on the sheet: at least one image is needed");
    const double side = panel_side(options, 190);
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(figures.size()))));
    const double row = (static_cast<double>(columns) * (side + panel_gap)) - panel_gap;
    const double width = std::max(row, min_legend_width) + (2 * margin);

    Svg svg;
    double bottom = margin;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const std::size_t rows_above = i / columns;
        const Point corner{margin + (static_cast<double>(i % columns) * (side + panel_gap)),
                           margin +
                               (static_cast<double>(rows_above) * (side + sheet_caption_height + panel_gap))};
        draw_cell(svg, figures[i], {corner, side, window_around(figures[i])},
                  schema_style(figures[i].network.schema(), options), options);
        bottom = corner.y + side + sheet_caption_height;
    }
    const Schema& schema = widest_schema(figures);
    const SchemaStyle style = schema_style(schema, options);
    const double legend_top = bottom + panel_gap;
    const double legend =
        draw_legend(svg, {margin, legend_top}, width - (2 * margin),
                    {.schema = schema, .style = style, .removed_nodes = options.level.has_value()});
    return svg.finish(width, legend_top + legend + margin,
                      format_count(figures.size(), "image") + " as networks",
                      "The shape, the contours and the network of each image, all levels in one.");
}

std::string draw_network(const Network& network, std::string_view title, const DrawOptions& options) {
    check_level(network, title.empty() ? "the network" : title, options.level);
    const SchemaStyle style = schema_style(network.schema(), options);
    const double side = panel_side(options, 560);
    const double width = std::max(side, min_legend_width) + (2 * margin);

    // The heading contains counts of what was drawn, so it is written last. It has one line.
    const double top = margin + title_size + (note_size * 1.6) + 16;
    Svg svg;
    const Frame frame{{margin, top}, side, window_around(network)};
    const Counts counts = draw_marks(svg, frame, network, style, {.level = options.level});
    if (network.node_count() == 0) draw_centred_text(svg, frame, "no nodes");
    draw_frame(svg, frame);
    const std::string summary = format_count(counts.nodes, "node") + ", " +
                                format_count(counts.edges, "edge") +
                                (options.level ? " on level " + std::to_string(*options.level)
                                               : ", " + format_count(network.level_count(), "level"));
    draw_heading(svg, width, title, {summary});
    const double legend_top = top + side + 24;
    const double legend = draw_legend(
        svg, {margin, legend_top}, width - (2 * margin),
        {.schema = network.schema(), .style = style, .contours = false, .levels = network.level_count()});
    return svg.finish(width, legend_top + legend + margin, title, "A network of " + summary + ".");
}

} // namespace sprig
