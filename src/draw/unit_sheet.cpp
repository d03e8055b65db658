#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/unit_panel.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double class_heading_height = 32;
constexpr double unit_gap = 14;

/// The units of one class: how many there are, and those that are shown.
struct ClassBlock {
    std::string_view label;
    Census census;
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

using UnitsByLineage = std::map<Lineage, const UnitView*>;

/// The unit's target, that one's target and so on, as far as they are known.
std::vector<const UnitView*> chain_below(const UnitView& unit, const UnitsByLineage& by_lineage) {
    std::vector<const UnitView*> chain;
    for (const UnitView* at = &unit; at->target;) {
        const auto found = by_lineage.find(*at->target);
        // A chain that bites its tail or changes its family is a fault of the model; looking at it must
        // end all the same.
        if (found == by_lineage.end() || found->second == &unit ||
            std::ranges::find(chain, found->second) != chain.end() ||
            found->second->pattern.schema() != unit.pattern.schema())
            break;
        at = chain.emplace_back(found->second);
    }
    return chain;
}

std::vector<ClassBlock> plan_blocks(std::span<const UnitView> units, std::size_t per_class) {
    UnitsByLineage by_lineage;
    for (const UnitView& unit : units) by_lineage.emplace(unit.lineage, &unit);
    std::vector<ClassBlock> blocks = blocks_by_class(units);
    for (ClassBlock& block : blocks) {
        keep_most_telling(block.units, per_class);
        for (const UnitView* unit : block.units)
            block.shown.push_back(configuration_of(*unit, chain_below(*unit, by_lineage)));
    }
    return blocks;
}

/// What all panels have in common.
struct Sheet {
    DrawOptions options;
    double side = 0;
    std::size_t columns = 1;
    Window window;
    std::uint32_t levels = 0;

    /// Of the figure without its margins; where panels are few, words need more room than they.
    [[nodiscard]] double width() const {
        constexpr double least = 420;
        return std::max((static_cast<double>(columns) * (side + unit_gap)) - unit_gap, least);
    }
};

Sheet sheet_of(const std::vector<ClassBlock>& blocks, const UnitSheetOptions& options) {
    Sheet sheet;
    sheet.options.all_layers = options.all_layers;
    sheet.options.panel = options.panel;
    sheet.side = panel_side(sheet.options, 140);
    std::vector<const Network*> networks;
    for (const ClassBlock& block : blocks) {
        sheet.columns = std::max(sheet.columns, std::min(block.shown.size(), options.columns));
        for (const Configuration& configuration : block.shown) {
            networks.push_back(&configuration.network);
            sheet.levels = std::max(sheet.levels, configuration.network.level_count());
        }
    }
    sheet.window = window_around(networks);
    return sheet;
}

void draw_class_heading(Svg& svg, Point corner, double width, const ClassBlock& block) {
    constexpr double between = 12;
    const std::string name = fit_text(fmt::format("class {}", block.label), caption_size * 1.1, width / 2);
    const double name_width = text_width(name, caption_size * 1.1);
    svg.line(corner, corner + Point{width, 0}, Attributes().set("stroke", frame_colour));
    svg.text(corner + Point{0, 20}, name, caption_size, Attributes().set("font-weight", "bold"));
    std::string words = in_words(block.census);
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

/// Returns the y below the block.
double draw_block(Svg& svg, double top, const Sheet& sheet, const ClassBlock& block) {
    const auto group = svg.group(Attributes().set("class", "class-block"));
    draw_class_heading(svg, {margin, top}, sheet.width(), block);
    const double row_height = sheet.side + unit_caption_height + 8;
    for (std::size_t i = 0; i < block.shown.size(); ++i) {
        const std::size_t row = i / sheet.columns;
        const Point corner{margin + (static_cast<double>(i % sheet.columns) * (sheet.side + unit_gap)),
                           top + class_heading_height + (static_cast<double>(row) * row_height)};
        draw_unit(svg, {corner, sheet.side, sheet.window}, block.shown[i],
                  reading_for(*block.shown[i].unit, sheet.options), sheet.levels);
    }
    const std::size_t rows = (block.shown.size() + sheet.columns - 1) / sheet.columns;
    return top + class_heading_height + (static_cast<double>(rows) * row_height) + 4;
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
    std::vector<LegendBlock> blocks = network_legend({.schema = schema,
                                                      .reading = reading,
                                                      .contours = false,
                                                      .levels = sheet.levels,
                                                      .level_colours = sheet.levels > 1});
    blocks.insert(blocks.begin(), unit_legend(reading));
    return draw_legend(svg, corner, width, std::move(blocks));
}

} // namespace

std::string draw_units(std::span<const UnitView> units, const UnitSheetOptions& options) {
    if (units.empty()) throw usage_error("there are no units to draw: the model has learned nothing yet");
    if (options.per_class == 0 || options.columns == 0)
        throw usage_error("a sheet of no units cannot be drawn: ask for one per class and column at least");
    const std::vector<ClassBlock> blocks = plan_blocks(units, options.per_class);
    const Sheet sheet = sheet_of(blocks, options);
    const double width = sheet.width() + (2 * margin);
    Census census;
    for (const UnitView& unit : units) count(census, unit);
    const std::string summary =
        fmt::format("{} in {}", in_words(census),
                    blocks.size() == 1 ? "1 class" : fmt::format("{} classes", blocks.size()));

    Svg svg;
    double y = draw_heading(
        svg, width, options.title,
        {summary, fmt::format("at most {} of each class, the most observed first", options.per_class)});
    for (const ClassBlock& block : blocks) y = draw_block(svg, y, sheet, block);
    svg.line({margin, y}, {margin + sheet.width(), y}, Attributes().set("stroke", frame_colour));
    y += 12;
    y += draw_unit_legend(svg, {margin, y}, sheet.width(), sheet, blocks, widest_schema(units));
    return svg.finish(width, y + margin, options.title, summary + ".");
}

} // namespace sprig
