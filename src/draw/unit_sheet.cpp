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
#include "draw/weighed_panel.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double class_heading_height = 32;
constexpr double unit_gap = 14;

/// The units of one class: how many there are, and those that are shown.
struct ClassBlock {
    std::optional<std::string_view> label; ///< none: a block of all classes that tells none of them
    Census census;
    std::uint64_t samples = 0; ///< that its units count
    std::vector<const UnitView*> units;
    std::vector<Configuration> shown;
};

void count(Census& census, const UnitView& unit) {
    ++(unit.polarity == Polarity::positive ? census.positive : census.negative);
}

std::string in_words(const Census& census) {
    return fmt::format("{}: {} positive, {} negative", counted(census.total(), "unit"), census.positive,
                       census.negative);
}

std::vector<ClassBlock> blocks_by_class(std::span<const UnitView> units) {
    std::vector<ClassBlock> blocks;
    std::map<std::string_view, std::size_t> known;
    for (const UnitView& unit : units) {
        const auto [place, is_new] = known.emplace(unit.label, blocks.size());
        if (is_new) blocks.push_back({.label = unit.label, .census = {}, .units = {}, .shown = {}});
        ClassBlock& block = blocks[place->second];
        block.samples += unit.active;
        count(block.census, unit);
        block.units.push_back(&unit);
    }
    return blocks;
}

/// The most observed first; among equals the more reliable, then the older one.
void keep_most_telling(std::vector<const UnitView*>& units, std::size_t most) {
    std::ranges::stable_sort(units, [](const UnitView* a, const UnitView* b) {
        return std::tuple(b->observations(), b->active, a->born, a->lineage) <
               std::tuple(a->observations(), a->active, b->born, b->lineage);
    });
    if (units.size() > most) units.resize(most);
}

/// All that is shown as one block, by lineage: that is as good as any order, and no class's.
std::vector<ClassBlock> without_labels(std::vector<ClassBlock> blocks) {
    ClassBlock all;
    for (ClassBlock& block : blocks) {
        all.census.positive += block.census.positive;
        all.census.negative += block.census.negative;
        std::ranges::move(block.shown, std::back_inserter(all.shown));
    }
    for (Configuration& shown : all.shown) shown.labelled = false;
    std::ranges::stable_sort(all.shown, {}, [](const Configuration& shown) { return shown.unit->lineage; });
    blocks.clear();
    blocks.push_back(std::move(all));
    return blocks;
}

std::vector<ClassBlock> plan_blocks(std::span<const UnitView> units, const UnitSheetOptions& options) {
    UnitsByLineage by_lineage;
    for (const UnitView& unit : units) by_lineage.emplace(unit.lineage, &unit);
    std::vector<ClassBlock> blocks = blocks_by_class(units);
    for (ClassBlock& block : blocks) {
        keep_most_telling(block.units, options.per_class);
        for (const UnitView* unit : block.units) {
            block.shown.push_back(configuration_of(*unit, chain_below(*unit, by_lineage)));
            block.shown.back().class_samples = block.samples;
        }
    }
    return options.labels ? blocks : without_labels(std::move(blocks));
}

/// What all panels have in common.
struct Sheet {
    DrawOptions options;
    double side = 0;
    std::size_t columns = 1;
    Window window;
    std::uint32_t levels = 0;
    // Of the units: whether there are some that weigh their nodes, and some that do not.
    bool weighed = false;
    bool unweighed = false;

    /// Classes of few units each stand side by side.
    [[nodiscard]] bool flows() const { return weighed && !unweighed; }
    [[nodiscard]] double row_height() const {
        return side + (weighed ? weighed_caption_height : unit_caption_height) + 8;
    }
    [[nodiscard]] double width_of(std::size_t panels) const {
        return (static_cast<double>(panels) * (side + unit_gap)) - unit_gap;
    }
    /// Of the figure without its margins; where panels are few, words need more room than they.
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
        for (const Configuration& configuration : block.shown) {
            networks.push_back(&configuration.network);
            sheet.levels = std::max(sheet.levels, configuration.network.level_count());
            (weighs_nodes(*configuration.unit) ? sheet.weighed : sheet.unweighed) = true;
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
    std::string words = short_words ? counted(block.census.total(), "unit") : in_words(block.census);
    if (block.shown.size() < block.census.total()) words += fmt::format("; {} shown", block.shown.size());
    svg.text(corner + Point{name_width + between, 20},
             fit_text(words, count_size, width - name_width - between), count_size,
             Attributes().set("fill", soft_colour));
}

/// A unit all of whose edges lie in layers that are left out shows them nevertheless: they are all it has to
/// say.
bool speaks_of_hidden_layers(const UnitView& unit, const Reading& reading) {
    const auto edges = unit.pattern.edges();
    return !edges.empty() &&
           std::ranges::none_of(edges, [&](const Edge& edge) { return reading.shown[edge.layer]; });
}

Reading reading_for(const UnitView& unit, const DrawOptions& options) {
    Reading reading = reading_of(unit.pattern.schema(), options);
    if (!speaks_of_hidden_layers(unit, reading)) return reading;
    DrawOptions everything = options;
    everything.all_layers = true;
    return reading_of(unit.pattern.schema(), everything);
}

/// So many panels side by side. Returns the y below the block.
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
        const Point at = first + Point{column * (sheet.side + unit_gap), row * sheet.row_height()};
        draw_unit(svg, {at, sheet.side, sheet.window}, block.shown[i],
                  reading_for(*block.shown[i].unit, sheet.options), sheet.levels);
    }
    const std::size_t rows = (block.shown.size() + across - 1) / across;
    return first.y + (static_cast<double>(rows) * sheet.row_height()) + 4;
}

/// One below the other, or as many side by side as there is room for. Returns the y below them.
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
        const Point corner{margin + (static_cast<double>(used) * (sheet.side + unit_gap)), top};
        bottom = std::max(bottom, draw_block(svg, corner, across, sheet, block));
        used += across;
    }
    return bottom;
}

/// The largest of the schemas, since one legend must explain them all.
const Schema& widest_schema(std::span<const UnitView> units) {
    const auto types = [](const UnitView& unit) { return unit.pattern.schema().node_types.size(); };
    return std::ranges::max_element(units, {}, types)->pattern.schema();
}

double draw_unit_legend(Svg& svg, Point corner, double width, const Sheet& sheet,
                        const std::vector<ClassBlock>& blocks_shown, const Schema& schema) {
    DrawOptions options = sheet.options;
    for (const ClassBlock& block : blocks_shown) {
        for (const Configuration& shown : block.shown) {
            const Reading reading = reading_of(shown.unit->pattern.schema(), sheet.options);
            if (speaks_of_hidden_layers(*shown.unit, reading)) options.all_layers = true;
        }
    }
    const Reading reading = reading_of(schema, options);
    std::vector<LegendBlock> blocks;
    if (sheet.weighed) blocks = weighed_legend(reading);
    if (sheet.unweighed) {
        blocks.push_back(unit_legend(reading));
        std::ranges::move(network_legend({.schema = schema,
                                          .reading = reading,
                                          .contours = false,
                                          .levels = sheet.levels,
                                          .level_colours = sheet.levels > 1}),
                          std::back_inserter(blocks));
    }
    return draw_legend(svg, corner, width, std::move(blocks));
}

/// How many units there are in how many classes, and which of them are shown.
std::vector<std::string> summary_of(std::span<const UnitView> units, const std::vector<ClassBlock>& blocks,
                                    const Sheet& sheet, const UnitSheetOptions& options) {
    Census census;
    for (const UnitView& unit : units) count(census, unit);
    std::string all = sheet.flows() ? counted(census.total(), "unit") : in_words(census);
    if (options.labels)
        all += blocks.size() == 1 ? " in 1 class" : fmt::format(" in {} classes", blocks.size());
    return {std::move(all),
            fmt::format("at most {} of each class, {}", options.per_class,
                        options.labels ? "the most observed first" : "in an order that does not tell it")};
}

} // namespace

std::string draw_units(std::span<const UnitView> units, const UnitSheetOptions& options) {
    if (units.empty()) throw usage_error("there are no units to draw: the model has learned nothing yet");
    if (options.per_class == 0 || options.columns == 0)
        throw usage_error("a sheet of no units cannot be drawn: ask for one per class and column at least");
    const std::vector<ClassBlock> blocks = plan_blocks(units, options);
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

} // namespace sprig
