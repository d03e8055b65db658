#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/unit_panel.h"
#include "draw/weighted_panel.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double class_heading_height = 32;
constexpr double sheet_unit_gap = 14;

/// The units of one class: their number, and those that are shown.
struct ClassBlock {
    std::optional<std::string_view> label; ///< not set for a block of all classes without labels
    ModelSize size;
    std::uint64_t samples = 0; ///< total of its units
    std::vector<const UnitView*> units;
    std::vector<UnitWithChain> shown;
};

void count(ModelSize& size, const UnitView& unit) {
    ++(unit.polarity == Polarity::positive ? size.positive : size.negative);
}

std::string model_size_text(const ModelSize& size) {
    return fmt::format("{}: {} positive, {} negative", format_count(size.total(), "unit"), size.positive,
                       size.negative);
}

std::vector<ClassBlock> blocks_by_class(std::span<const UnitView> units) {
    std::vector<ClassBlock> blocks;
    std::map<std::string_view, std::size_t> known;
    for (const UnitView& unit : units) {
        const auto [place, is_new] = known.emplace(unit.label, blocks.size());
        if (is_new) blocks.push_back({.label = unit.label, .size = {}, .units = {}, .shown = {}});
        ClassBlock& block = blocks[place->second];
        block.samples += unit.active;
        count(block.size, unit);
        block.units.push_back(&unit);
    }
    return blocks;
}

/// Most observed first; ties: more reliable first, then older first.
void keep_most_observed(std::vector<const UnitView*>& units, std::size_t most) {
    std::ranges::stable_sort(units, [](const UnitView* a, const UnitView* b) {
        return std::tuple(b->observations(), b->active, a->born, a->lineage) <
               std::tuple(a->observations(), a->active, b->born, b->lineage);
    });
    if (units.size() > most) units.resize(most);
}

/// Merges all units into one block, ordered by lineage, which does not depend on the class.
std::vector<ClassBlock> merge_without_labels(std::vector<ClassBlock> blocks) {
    ClassBlock all;
    for (ClassBlock& block : blocks) {
        all.size.positive += block.size.positive;
        all.size.negative += block.size.negative;
        std::ranges::move(block.shown, std::back_inserter(all.shown));
    }
    for (UnitWithChain& shown : all.shown) shown.labelled = false;
    std::ranges::stable_sort(all.shown, {}, [](const UnitWithChain& shown) { return shown.unit->lineage; });
    blocks.clear();
    blocks.push_back(std::move(all));
    return blocks;
}

std::vector<ClassBlock> make_blocks(std::span<const UnitView> units, const UnitSheetOptions& options) {
    UnitsByLineage by_lineage;
    for (const UnitView& unit : units) by_lineage.emplace(unit.lineage, &unit);
    std::vector<ClassBlock> blocks = blocks_by_class(units);
    for (ClassBlock& block : blocks) {
        keep_most_observed(block.units, options.per_class);
        for (const UnitView* unit : block.units) {
            block.shown.push_back(unit_with_chain(*unit, target_chain(*unit, by_lineage)));
            block.shown.back().class_samples = block.samples;
        }
    }
    return options.labels ? blocks : merge_without_labels(std::move(blocks));
}

/// The data shared by all panels.
struct Sheet {
    DrawOptions options;
    double side = 0;
    std::size_t columns = 1;
    Window window;
    std::uint32_t levels = 0;
    // Whether there are units with node probabilities, and units without.
    bool weighted = false;
    bool unweighted = false;

    /// Whether several classes share a row.
    [[nodiscard]] bool flows() const { return weighted && !unweighted; }
    [[nodiscard]] double row_height() const {
        return side + (weighted ? weighted_caption_height : unit_caption_height) + 8;
    }
    [[nodiscard]] double width_of(std::size_t panels) const {
        return (static_cast<double>(panels) * (side + sheet_unit_gap)) - sheet_unit_gap;
    }
    /// The width of the figure without margins, at least that of its texts.
    [[nodiscard]] double width() const {
        constexpr double least = 420;
        return std::max(width_of(columns), least);
    }
};

Sheet sheet_of(const std::vector<ClassBlock>& blocks, const UnitSheetOptions& options) {
    Sheet sheet;
    sheet.options.all_layers = options.all_layers;
    sheet.options.panel = options.panel;
    sheet.side = panel_side(sheet.options, 140);
    std::vector<const Network*> networks;
    std::size_t widest = 1;
    for (const ClassBlock& block : blocks) {
        widest = std::max(widest, block.shown.size());
        for (const UnitWithChain& unit_chain : block.shown) {
            networks.push_back(&unit_chain.network);
            sheet.levels = std::max(sheet.levels, unit_chain.network.level_count());
            (has_weighted_nodes(*unit_chain.unit) ? sheet.weighted : sheet.unweighted) = true;
        }
    }
    sheet.columns = std::min(sheet.flows() ? networks.size() : widest, options.columns);
    sheet.window = window_around(networks);
    return sheet;
}

void draw_class_heading(Svg& svg, Point corner, double width, const ClassBlock& block, bool short_words) {
    constexpr double between = 12;
    const std::string name = fit_text(fmt::format("class {}", *block.label), caption_size * 1.1, width / 2);
    const double name_width = text_width(name, caption_size * 1.1);
    svg.line(corner, corner + Point{width, 0}, Attributes().set("stroke", frame_colour));
    svg.text(corner + Point{0, 20}, name, caption_size, Attributes().set("font-weight", "bold"));
    std::string words = short_words ? format_count(block.size.total(), "unit") : model_size_text(block.size);
    if (block.shown.size() < block.size.total()) words += fmt::format("; {} shown", block.shown.size());
    svg.text(corner + Point{name_width + between, 20},
             fit_text(words, count_size, width - name_width - between), count_size,
             Attributes().set("fill", soft_colour));
}

/// If all edges of a unit are in hidden layers, they are drawn nevertheless.
bool has_only_hidden_edges(const UnitView& unit, const SchemaStyle& style) {
    const auto edges = unit.pattern.edges();
    return !edges.empty() &&
           std::ranges::none_of(edges, [&](const Edge& edge) { return style.shown[edge.layer]; });
}

SchemaStyle style_for(const UnitView& unit, const DrawOptions& options) {
    SchemaStyle style = schema_style(unit.pattern.schema(), options);
    if (!has_only_hidden_edges(unit, style)) return style;
    DrawOptions everything = options;
    everything.all_layers = true;
    return schema_style(unit.pattern.schema(), everything);
}

/// Draws a block with `across` panels in a row. Returns the y below it.
double draw_block(Svg& svg, Point corner, std::size_t across, const Sheet& sheet, const ClassBlock& block) {
    const auto group = svg.group(Attributes().set("class", "class-block"));
    Point first = corner;
    if (block.label) {
        draw_class_heading(svg, corner, sheet.flows() ? sheet.width_of(across) : sheet.width(), block,
                           sheet.flows());
        first.y += class_heading_height;
    }
    for (std::size_t i = 0; i < block.shown.size(); ++i) {
        const std::size_t rows_above = i / across;
        const auto row = static_cast<double>(rows_above);
        const auto column = static_cast<double>(i % across);
        const Point at = first + Point{column * (sheet.side + sheet_unit_gap), row * sheet.row_height()};
        draw_unit(svg, {at, sheet.side, sheet.window}, block.shown[i],
                  style_for(*block.shown[i].unit, sheet.options), sheet.levels);
    }
    const std::size_t rows = (block.shown.size() + across - 1) / across;
    return first.y + (static_cast<double>(rows) * sheet.row_height()) + 4;
}

/// Draws the blocks below each other, or in rows if there is space. Returns the y below them.
double draw_blocks(Svg& svg, double top, const Sheet& sheet, const std::vector<ClassBlock>& blocks) {
    std::size_t used = 0;
    double bottom = top;
    for (const ClassBlock& block : blocks) {
        const std::size_t across =
            sheet.flows() ? std::min(block.shown.size(), sheet.columns) : sheet.columns;
        if (used + across > sheet.columns) {
            used = 0;
            top = bottom;
        }
        const Point corner{margin + (static_cast<double>(used) * (sheet.side + sheet_unit_gap)), top};
        bottom = std::max(bottom, draw_block(svg, corner, across, sheet, block));
        used += across;
    }
    return bottom;
}

/// The schema with most node types: one legend must explain all of them.
const Schema& widest_schema(std::span<const UnitView> units) {
    const auto types = [](const UnitView& unit) { return unit.pattern.schema().node_types.size(); };
    return std::ranges::max_element(units, {}, types)->pattern.schema();
}

double draw_unit_legend(Svg& svg, Point corner, double width, const Sheet& sheet,
                        const std::vector<ClassBlock>& blocks_shown, const Schema& schema) {
    DrawOptions options = sheet.options;
    for (const ClassBlock& block : blocks_shown) {
        for (const UnitWithChain& shown : block.shown) {
            const SchemaStyle style = schema_style(shown.unit->pattern.schema(), sheet.options);
            if (has_only_hidden_edges(*shown.unit, style)) options.all_layers = true;
        }
    }
    const SchemaStyle style = schema_style(schema, options);
    std::vector<LegendBlock> blocks;
    if (sheet.weighted) blocks = weighted_legend(style);
    if (sheet.unweighted) {
        blocks.push_back(unit_legend(style));
        std::ranges::move(network_legend({.schema = schema,
                                          .style = style,
                                          .contours = false,
                                          .levels = sheet.levels,
                                          .level_colours = sheet.levels > 1}),
                          std::back_inserter(blocks));
    }
    return draw_legend(svg, corner, width, std::move(blocks));
}

/// The number of units and classes, and which units are shown.
std::vector<std::string> summary_of(std::span<const UnitView> units, const std::vector<ClassBlock>& blocks,
                                    const Sheet& sheet, const UnitSheetOptions& options) {
    ModelSize size;
    for (const UnitView& unit : units) count(size, unit);
    std::string all = sheet.flows() ? format_count(size.total(), "unit") : model_size_text(size);
    if (options.labels)
        all += blocks.size() == 1 ? " in 1 class" : fmt::format(" in {} classes", blocks.size());
    return {std::move(all), fmt::format("at most {} of each class, {}", options.per_class,
                                        options.labels ? "the most observed first"
                                                       : "in an order that does not reveal the class")};
}

} // namespace

std::string draw_units(std::span<const UnitView> units, const UnitSheetOptions& options) {
    if (units.empty())
        throw usage_error("there are no units to draw: the model has not learned anything yet");
    if (options.per_class == 0 || options.columns == 0)
        throw usage_error("cannot draw a sheet without units: per_class and columns must be at least 1");
    const std::vector<ClassBlock> blocks = make_blocks(units, options);
    const Sheet sheet = sheet_of(blocks, options);
    const double width = sheet.width() + (2 * margin);
    const std::vector<std::string> summary = summary_of(units, blocks, sheet, options);

    Svg svg;
    double y = draw_heading(svg, width, options.title, summary);
    y = draw_blocks(svg, y, sheet, blocks);
    svg.line({margin, y}, {margin + sheet.width(), y}, Attributes().set("stroke", frame_colour));
    y += 12;
    y += draw_unit_legend(svg, {margin, y}, sheet.width(), sheet, blocks, widest_schema(units));
    return svg.finish(width, y + margin, options.title, summary.front() + ".");
}

std::vector<std::string> draw_each_unit(std::span<const UnitView> units, double side) {
    std::vector<std::string> drawings;
    if (units.empty()) return drawings;
    UnitSheetOptions options;
    options.panel = side;
    options.per_class = units.size();
    const Sheet sheet = sheet_of(make_blocks(units, options), options);
    for (const UnitView& unit : units) {
        const SchemaStyle style = style_for(unit, sheet.options);
        Svg svg;
        draw_unit_pattern(svg, {{0, 0}, sheet.side, sheet.window}, unit_with_chain(unit, {}), style,
                          sheet.levels);
        drawings.push_back(
            svg.finish(sheet.side, sheet.side, fmt::format("A unit of class {}", unit.label), ""));
    }
    return drawings;
}

} // namespace sprig
