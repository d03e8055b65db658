#include "draw/legend.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "draw/palette.h"

namespace sprig::draw {
namespace {

constexpr double legend_font = 11.5;
constexpr double line_height = 19;
constexpr double legend_mark_size = 6;
constexpr double symbol_width = 34;
constexpr double legend_gap = 28;
constexpr double wedge_width = 150;

double column_width(const LegendBlock& block) {
    double widest = 0;
    for (const LegendEntry& entry : block.entries)
        widest = std::max(widest, text_width(entry.meaning, legend_font));
    return symbol_width + widest;
}

double width_of(const LegendBlock& block) {
    return std::max(text_width(block.heading, legend_font * 1.1),
                    column_width(block) * static_cast<double>(block.columns));
}

double height_of(const LegendBlock& block) {
    const std::size_t rows = (block.entries.size() + block.columns - 1) / block.columns;
    return line_height * static_cast<double>(rows + 1);
}

LegendEntry mark_entry(const NodeMark& mark, std::string meaning) {
    return {[mark](Svg& svg, Point at) { draw_mark(svg, at, legend_mark_size, mark); }, std::move(meaning)};
}

LegendEntry arrow_entry(bool open_head, bool both, bool dashed, std::string meaning) {
    return {[=](Svg& svg, Point at) {
                const std::string colour = level_colour(0, 1);
                ArrowLook look;
                look.colour = colour;
                look.width = 1.2;
                look.open_head = open_head || both;
                look.set_back = both;
                look.dashed = dashed;
                draw_arrow(svg, at - Point{13, 0}, at + Point{13, 0}, look);
                look.open_head = look.set_back = false;
                if (both) draw_arrow(svg, at - Point{13, 0}, at + Point{13, 0}, look);
            },
            std::move(meaning)};
}

LegendEntry line_entry(bool dashed, std::string meaning) {
    return {[dashed](Svg& svg, Point at) {
                Attributes attributes;
                attributes.set("stroke", contour_colour).set("stroke-width", 1.6);
                if (dashed) attributes.set("stroke-dasharray", "4 2.5");
                svg.line(at - Point{13, 0}, at + Point{13, 0}, attributes);
            },
            std::move(meaning)};
}

/// The two axes by name, other directions by angle.
std::string direction_name(const ChangeKind& kind, int directions) {
    if (kind.direction == 0) return kind.maximum ? "points right: x maximum" : "points left: x minimum";
    if (2 * kind.direction == directions)
        return kind.maximum ? "points down: y maximum" : "points up: y minimum";
    return fmt::format("maximum at {}\xC2\xB0", number(180.0 * kind.direction / directions));
}

LegendBlock change_point_block(const LegendContent& content) {
    const int directions = content.style.directions;
    LegendBlock block{"Node: a turning point of the contour", {}, 2};
    for (int direction = 0; direction < directions; ++direction) {
        const bool axis = direction == 0 || 2 * direction == directions;
        for (const bool maximum : {true, false}) {
            const ChangeKind kind{direction, maximum, true};
            // Between the axes, a minimum is its maximum reversed.
            if (maximum || axis)
                block.entries.push_back(
                    mark_entry(mark_of(kind.index(), content.style), direction_name(kind, directions)));
        }
    }
    NodeMark grey{.angle = 0, .colour = contour_colour};
    block.entries.push_back(mark_entry(grey, "filled: convex"));
    grey.filled = false;
    block.entries.push_back(mark_entry(grey, "hollow: concave"));
    return block;
}

LegendBlock type_block(const LegendContent& content) {
    constexpr std::size_t most = 12;
    LegendBlock block{"Node type", {}, content.schema.node_types.size() > 4 ? 2U : 1U};
    for (std::uint32_t type = 0; type < std::min(content.schema.node_types.size(), most); ++type)
        block.entries.push_back(mark_entry(mark_of(type, content.style),
                                           fit_text(content.schema.node_types[type], legend_font, 110)));
    if (content.schema.node_types.size() > most)
        block.entries.push_back(
            {[](Svg&, Point) {}, fmt::format("and {} more", content.schema.node_types.size() - most)});
    return block;
}

LegendBlock shape_block(const LegendContent& content) {
    LegendBlock block{"Shape", {}, 1};
    block.entries.push_back({[](Svg& svg, Point at) {
                                 svg.rect(at - Point{13, 6}, 26, 12, Attributes().set("fill", shape_colour));
                             },
                             "ink"});
    block.entries.push_back(line_entry(false, "outer contour"));
    block.entries.push_back(line_entry(true, "contour of a hole"));
    if (content.removed_nodes)
        block.entries.push_back(
            {[](Svg& svg, Point at) { svg.circle(at, 1.9, Attributes().set("fill", "#b0b0b0")); },
             "node removed at this level"});
    return block;
}

LegendBlock edge_block(const LegendContent& content) {
    const SchemaStyle& style = content.style;
    if (!style.change_points) return {"Edge", {arrow_entry(false, false, false, "directed relation")}, 1};
    const auto shows = [&](Layer layer) { return bool{style.shown[static_cast<std::size_t>(layer)]}; };
    const bool contour = shows(Layer::contour_h) || shows(Layer::contour_v);
    const bool horizontal = shows(Layer::contour_h) || shows(Layer::spatial_h);
    const bool vertical = shows(Layer::contour_v) || shows(Layer::spatial_v);
    const std::string heading = !contour ? "Edge: a relation, not ink: neighbours in x or y order"
                                : style.shows_spatial()
                                    ? "Edge: a relation, not ink: neighbours"
                                    : "Edge: a relation, not ink: neighbours on a contour";
    LegendBlock block{heading, {}, 1};
    if (horizontal)
        block.entries.push_back(arrow_entry(false, false, !contour, "horizontal layer: left to right"));
    if (vertical) block.entries.push_back(arrow_entry(true, false, !contour, "vertical layer: downwards"));
    if (horizontal && vertical)
        block.entries.push_back(arrow_entry(false, true, !contour, "both layers, one line"));
    if (style.shows_spatial() && contour)
        block.entries.push_back(arrow_entry(!horizontal, false, true, "spatial layer: next in x or y"));
    return block;
}

/// A wedge from the finest to the coarsest level, in the colours and widths of edges.
void draw_wedge(Svg& svg, Point corner, double width) {
    constexpr std::uint32_t steps = 40;
    const double step = width / steps;
    for (std::uint32_t i = 0; i < steps; ++i) {
        const double half = 1.2 + (6.0 * i / (steps - 1));
        // Slightly wider than a step, so that no gaps are visible.
        svg.rect({corner.x + (i * step), corner.y - half}, step + (i + 1 < steps ? 0.4 : 0), 2 * half,
                 Attributes().set("fill", level_colour(i, steps)));
    }
}

LegendEntry words_entry(const std::string& left, const std::string& right = {}) {
    return {[=](Svg& svg, Point at) {
                const auto label = [&](Point place, const std::string& words, std::string_view anchor) {
                    svg.text(at + place, words, legend_font, Attributes().set("text-anchor", anchor));
                };
                label({-13, 4}, left, "start");
                if (!right.empty()) label({wedge_width - 13, 4}, right, "end");
            },
            ""};
}

LegendEntry wedge_entry() {
    return {[](Svg& svg, Point at) { draw_wedge(svg, at - Point{13, 0}, wedge_width); }, ""};
}

LegendBlock level_block(const LegendContent& content) {
    const std::string coarsest =
        content.levels == 0 ? "coarsest" : fmt::format("coarsest: {}", content.levels - 1);
    LegendBlock block{"Edge colour: level where it appears", {wedge_entry()}, 1};
    block.entries.push_back(words_entry("finest: 0", coarsest));
    if (content.style.change_points)
        block.entries.push_back(words_entry("each level removes the smallest bump"));
    return block;
}

LegendBlock length_block(double max_edge_length) {
    return {"Edge colour: length of the edge",
            {wedge_entry(), words_entry("0 px", fmt::format("{} px or more", number(max_edge_length)))},
            1};
}

void draw_block(Svg& svg, Point corner, const LegendBlock& block) {
    const double across = column_width(block);
    svg.text(corner + Point{0, 12}, block.heading, legend_font, Attributes().set("font-weight", "bold"));
    for (std::size_t i = 0; i < block.entries.size(); ++i) {
        const std::size_t row = i / block.columns;
        const Point at = corner + Point{static_cast<double>(i % block.columns) * across,
                                        line_height * (static_cast<double>(row) + 1.45)};
        block.entries[i].symbol(svg, at + Point{13, 0});
        if (!block.entries[i].meaning.empty())
            svg.text(at + Point{symbol_width, 4}, block.entries[i].meaning, legend_font);
    }
}

} // namespace

std::vector<LegendBlock> network_legend(const LegendContent& content) {
    std::vector<LegendBlock> blocks;
    blocks.push_back(content.style.change_points ? change_point_block(content) : type_block(content));
    if (content.contours) blocks.push_back(shape_block(content));
    blocks.push_back(edge_block(content));
    if (content.level_colours)
        blocks.push_back(content.max_edge_length ? length_block(*content.max_edge_length)
                                                 : level_block(content));
    return blocks;
}

double draw_legend(Svg& svg, Point corner, double width, std::vector<LegendBlock> blocks) {
    const auto legend = svg.group(Attributes().set("class", "legend"));
    Point at = corner;
    double row_height = 0;
    for (LegendBlock& block : blocks) {
        if (width_of(block) > width) block.columns = 1;
        if (at.x > corner.x && at.x + width_of(block) > corner.x + width) {
            at = {corner.x, at.y + row_height + 14};
            row_height = 0;
        }
        draw_block(svg, at, block);
        at.x += width_of(block) + legend_gap;
        row_height = std::max(row_height, height_of(block));
    }
    return at.y + row_height - corner.y;
}

double draw_legend(Svg& svg, Point corner, double width, const LegendContent& content) {
    return draw_legend(svg, corner, width, network_legend(content));
}

} // namespace sprig::draw
