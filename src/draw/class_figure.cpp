#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/legend.h"
#include "draw/palette.h"
#include "draw/placed.h"
#include "draw/unit_panel.h"
#include "draw/weighted_panel.h"
#include "sprig/draw_explanation.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double unit_gap = 14;
constexpr double branch = 34;
constexpr double root_width = 40;
constexpr double tree_side = 100;
constexpr double tree_row = tree_side + unit_caption_height + 10;

class ClassPage {
  public:
    ClassPage(const GlobalExplanation& all, const ClassSummary& known, const ClassFigureOptions& options)
        : all_(all), known_(known) {
        for (const UnitView& unit : all.units) by_lineage_.emplace(unit.lineage, &unit);
        shown_ = known.mature;
        if (shown_.empty()) shown_ = most_observed();
        // Units in favour of the class describe it better than units against it.
        std::stable_partition(shown_.begin(), shown_.end(),
                              [&](std::size_t unit) { return favours_class(unit); });
        if (shown_.size() > options.max_units) shown_.resize(options.max_units);
        // Fewer units are drawn larger.
        const auto count = static_cast<double>(std::max<std::size_t>(shown_.size(), 1));
        side_ = panel_side({.panel = options.panel}, std::clamp(760 / count, 140.0, 260.0));
        std::size_t free = options.max_tree_units;
        for (const std::size_t unit : known.mature.empty() ? shown_ : known.mature) add_to_tree(unit, free);
        has_chains_ =
            std::ranges::any_of(in_tree_, [&](std::size_t u) { return all.units[u].target.has_value(); });
        std::vector<const Network*> patterns;
        for (const std::size_t unit : in_tree_) patterns.push_back(&all.units[unit].pattern);
        for (const std::size_t unit : shown_) patterns.push_back(&all.units[unit].pattern);
        window_ = window_around(patterns);
    }

    std::string draw() {
        const auto columns = std::clamp<std::size_t>(shown_.size(), 1, 8);
        const double row = (static_cast<double>(columns) * (side_ + unit_gap)) - unit_gap;
        width_ = std::max({row, has_chains_ ? tree_width() : 0.0, 560.0});
        const std::vector<std::string> words = summary();
        double y = draw_heading(svg_, width_ + (2 * margin), title(), words);
        if (!shown_.empty()) {
            y = draw_units(y, columns);
            if (has_chains_) y = draw_trees(y);
            svg_.line({margin, y}, {margin + width_, y}, Attributes().set("stroke", frame_colour));
            y += 12 + draw_legend(svg_, {margin, y + 12}, width_, legend_blocks());
        }
        return svg_.finish(width_ + (2 * margin), y + margin, title(), words.front());
    }

  private:
    [[nodiscard]] std::string title() const {
        return fmt::format("What was learned about class {}", known_.label);
    }

    [[nodiscard]] std::vector<std::string> summary() const {
        const std::size_t units = known_.positive + known_.negative;
        if (units == 0) return {"Nothing has been learned about this class yet."};
        std::string depths;
        for (std::size_t d = 0; d < known_.by_depth.size(); ++d)
            depths += fmt::format("{}{} of depth {}", d == 0 ? "" : ", ", known_.by_depth[d], d + 1);
        std::vector<std::string> lines = {has_chains_ || known_.negative > 0
                                              ? fmt::format("{}: {} positive, {} negative; {}.",
                                                            format_count(units, "unit"), known_.positive,
                                                            known_.negative, depths)
                                              : fmt::format("{}, {}.", format_count(units, "unit"),
                                                            format_count(known_.observations, "sample"))};
        lines.push_back(known_.mature.empty()
                            ? fmt::format("No unit has {} observations yet; the most observed one is shown.",
                                          all_.maturity)
                            : fmt::format("{} with at least {} observations; {} drawn large.",
                                          format_count(known_.mature.size(), "unit"), all_.maturity,
                                          shown_.size()));
        return lines;
    }

    [[nodiscard]] std::vector<std::size_t> most_observed() const {
        std::vector<std::size_t> best;
        for (const std::size_t unit : known_.roots)
            if (best.empty() || all_.units[unit].observations() > all_.units[best.front()].observations())
                best = {unit};
        return best;
    }

    /// A unit against a unit that is against the class is in favour of the class.
    [[nodiscard]] bool favours_class(std::size_t unit) const {
        bool favours = !is_negative(all_.units[unit]);
        for (const UnitView* lower : target_chain(all_.units[unit], by_lineage_))
            favours = favours != is_negative(*lower);
        return favours;
    }

    /// Adds a unit and its chain of targets if there is space left.
    void add_to_tree(std::size_t unit, std::size_t& free) {
        std::vector<std::size_t> wanted = {unit};
        for (const UnitView* lower : target_chain(all_.units[unit], by_lineage_))
            wanted.push_back(static_cast<std::size_t>(lower - all_.units.data()));
        std::erase_if(wanted, [&](std::size_t one) { return in_tree_.contains(one); });
        if (wanted.size() > free) return;
        free -= wanted.size();
        in_tree_.insert(wanted.begin(), wanted.end());
    }

    [[nodiscard]] std::size_t tree_depth() const {
        std::size_t depth = 1;
        for (const std::size_t unit : in_tree_) depth = std::max<std::size_t>(depth, all_.units[unit].depth);
        return depth;
    }

    [[nodiscard]] double tree_width() const {
        return root_width + (static_cast<double>(tree_depth()) * (tree_side + branch));
    }

    void draw_one(Point at, double side, std::size_t unit) {
        const UnitView& view = all_.units[unit];
        UnitWithChain shown = unit_with_chain(view, target_chain(view, by_lineage_));
        shown.class_samples = known_.observations;
        shown.network = with_length_levels(shown.network);
        draw_unit(svg_, {at, side, window_}, shown, schema_style(view.pattern.schema(), {.all_layers = true}),
                  length_steps);
    }

    double draw_section(double y, const std::string& heading) {
        svg_.line({margin, y}, {margin + width_, y}, Attributes().set("stroke", frame_colour));
        svg_.text({margin, y + 20}, fit_text(heading, caption_size * 1.1, width_), caption_size,
                  Attributes().set("font-weight", "bold"));
        return y + 32;
    }

    double draw_units(double y, std::size_t columns) {
        y = draw_section(y, known_.negative > 0
                                ? "Units: those in favour of the class first, then by number of "
                                  "observations"
                                : "Units, most observed first");
        const bool weighted = has_weighted_nodes(all_.units[shown_.front()]);
        const double height = side_ + (weighted ? weighted_caption_height : unit_caption_height) + 8;
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            const std::size_t row = i / columns;
            draw_one({margin + (static_cast<double>(i % columns) * (side_ + unit_gap)),
                      y + (static_cast<double>(row) * height)},
                     side_, shown_[i]);
        }
        const std::size_t rows = (shown_.size() + columns - 1) / columns;
        return y + (static_cast<double>(rows) * height) + 4;
    }

    /// A line from a target to a unit that conditions it.
    void draw_branch(Point from, Point to) {
        const Point half{branch / 2, 0};
        svg_.path(PathData().move(from).curve(from + half, to - half, to), Attributes()
                                                                               .set("class", "branch")
                                                                               .set("fill", "none")
                                                                               .set("stroke", contour_colour)
                                                                               .set("stroke-width", 1.2));
    }

    /// A unit with the units that condition it to its right. Returns the y of the middle of its frame.
    double draw_subtree(std::size_t unit, double x, double& y) {
        std::vector<double> middles;
        const double first = y;
        for (const std::size_t child : all_.children[unit])
            if (in_tree_.contains(child)) middles.push_back(draw_subtree(child, x + tree_side + branch, y));
        if (middles.empty()) y += tree_row;
        const double middle =
            middles.empty() ? first + (tree_side / 2) : (middles.front() + middles.back()) / 2;
        for (const double child : middles)
            draw_branch({x + tree_side, middle}, {x + tree_side + branch, child});
        draw_one({x, middle - (tree_side / 2)}, tree_side, unit);
        return middle;
    }

    /// The tree of a first-level unit, with the class on its left. Returns the y below it.
    double draw_tree(std::size_t root, Point corner) {
        double y = corner.y;
        const double middle = draw_subtree(root, corner.x + root_width + branch, y);
        draw_branch({corner.x + root_width, middle}, {corner.x + root_width + branch, middle});
        svg_.rect({corner.x, middle - 13}, root_width, 26,
                  Attributes().set("fill", "#fff").set("stroke", contour_colour).set("rx", 4));
        svg_.text({corner.x + (root_width / 2), middle + 4.5},
                  fit_text(known_.label, caption_size, root_width - 4), caption_size,
                  Attributes().set("text-anchor", "middle").set("font-weight", "bold"));
        return y;
    }

    /// The trees in columns; each one is placed in the shortest column.
    double draw_trees(double y) {
        const std::size_t left_out = known_.positive + known_.negative - in_tree_.size();
        std::string heading = "Chains: each unit is evidence for or against the one on its left";
        if (left_out > 0) heading += fmt::format(" ({} not shown)", format_count(left_out, "unit"));
        y = draw_section(y, heading);
        const double across = tree_width() + 24;
        const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>((width_ + 24) / across));
        std::vector<double> bottoms(columns, y);
        for (const std::size_t root : known_.roots) {
            if (!in_tree_.contains(root)) continue;
            const auto shortest = std::ranges::min_element(bottoms) - bottoms.begin();
            double& bottom = bottoms[static_cast<std::size_t>(shortest)];
            bottom = draw_tree(root, {margin + (static_cast<double>(shortest) * across), bottom});
        }
        return std::ranges::max(bottoms) + 4;
    }

    [[nodiscard]] std::vector<LegendBlock> legend_blocks() const {
        const UnitView& any = all_.units[shown_.front()];
        const SchemaStyle style = schema_style(any.pattern.schema(), {.all_layers = true});
        if (has_weighted_nodes(any)) return weighted_legend(style);
        std::vector<LegendBlock> blocks = {unit_legend(style)};
        std::ranges::move(network_legend({.schema = any.pattern.schema(),
                                          .style = style,
                                          .contours = false,
                                          .max_edge_length = max_edge_length}),
                          std::back_inserter(blocks));
        return blocks;
    }

    const GlobalExplanation& all_;
    const ClassSummary& known_;
    double side_ = 0;
    UnitsByLineage by_lineage_;
    std::vector<std::size_t> shown_;
    std::set<std::size_t> in_tree_;
    bool has_chains_ = false;
    Window window_;
    Svg svg_;
    double width_ = 0;
};

} // namespace

std::string draw_class(const GlobalExplanation& explanation, std::string_view label,
                       const ClassFigureOptions& options) {
    if (options.max_units == 0 || options.max_tree_units == 0)
        throw usage_error(
            "cannot draw a class without units: max_units and max_tree_units must be at least 1");
    return ClassPage(explanation, explanation.class_summary(label), options).draw();
}

} // namespace sprig
