#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "draw/explanation_panels.h"
#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/placed.h"
#include "draw/unit_panel.h"
#include "sprig/draw_explanation.h"
#include "sprig/error.h"

namespace sprig {
namespace {

using namespace draw;

constexpr double column_gap = 26;
constexpr double list_font = 10.5;
constexpr double list_line = 17;

/// Draws the page column by column.
class Page {
  public:
    Page(const LocalExplanation& all, const ExplanationFigureOptions& options)
        : all_(all), options_(options), side_(panel_side({.panel = options.panel}, 270)),
          scene_(scene_of(all)) {
        if (all.best) best_ = unit_pictures(scene_, *all.best, options.max_units);
        if (all.other) other_ = unit_pictures(scene_, *all.other, options.max_units);
        additions_ = addition_pictures(scene_);
        for (const auto* units : {&best_, &other_})
            for (const UnitPicture& unit : *units) widen(scene_.window, std::span(&unit.overlay, 1));
        widen(scene_.window, additions_);
    }

    std::string draw() {
        const std::size_t columns =
            1 + (all_.best ? 1U : 0U) + (all_.other ? 1U : 0U) + (all_.change ? 1U : 0U);
        width_ = std::max((static_cast<double>(columns) * (side_ + column_gap)) - column_gap, 600.0);
        top_ = draw_sentences();
        draw_decisive_column();
        if (all_.best) draw_class(*all_.best, best_, "Why");
        if (all_.other) draw_class(*all_.other, other_, "Why not");
        if (all_.change) draw_change();
        const double y = bottom_ + 14;
        svg_.line({margin, y}, {margin + width_, y}, Attributes().set("stroke", frame_colour));
        const double legend = draw_legend(svg_, {margin, y + 10}, width_, legend_blocks());
        return svg_.finish(width_ + (2 * margin), y + 10 + legend + margin, title(), sentences(all_).front());
    }

  private:
    [[nodiscard]] std::string title() const {
        std::string words = !all_.best ? "No answer"
                            : all_.other
                                ? fmt::format("Why {}, and not {}", all_.best->label, all_.other->label)
                                : fmt::format("Why {}", all_.best->label);
        if (!options_.name.empty()) words += ": " + options_.name;
        if (!options_.label.empty()) words += ", label " + options_.label;
        return words;
    }

    double draw_sentences() {
        std::vector<std::string> lines;
        for (const std::string& sentence : sentences(all_))
            std::ranges::move(wrap_text(sentence, note_size, width_), std::back_inserter(lines));
        return draw_heading(svg_, width_ + (2 * margin), title(), lines) + 4;
    }

    /// Draws the heading of the next column. Returns the corner of its content.
    Point begin_column(const std::string& heading) {
        const Point corner{margin + (static_cast<double>(used_++) * (side_ + column_gap)), top_};
        svg_.text(corner + Point{0, 12}, fit_text(heading, caption_size * 1.1, side_), caption_size,
                  Attributes().set("font-weight", "bold"));
        return corner + Point{0, 22};
    }

    void end_column(double y) { bottom_ = std::max(bottom_, y); }

    void draw_decisive_column() {
        const Point corner = begin_column(all_.other ? "What makes the difference" : "What it consists of");
        draw_decisive_points(svg_, {corner, side_, scene_.window}, scene_);
        double y = corner.y + side_ + 21;
        if (all_.decisive_count > 0) {
            const auto head = [&](double from_right, const std::string& words) {
                svg_.text({corner.x + side_ - from_right, y + 9}, words, list_font,
                          Attributes().set("fill", soft_colour).set("text-anchor", "end"));
            };
            svg_.text({corner.x, y + 9}, "score it adds to class", list_font,
                      Attributes().set("fill", soft_colour));
            head(44, fit_text(all_.best->label, list_font, 44));
            head(0, fit_text(all_.other->label, list_font, 44));
            y += list_line;
        }
        for (std::size_t i = 0; i < all_.decisive_count; ++i) {
            const Element& element = all_.elements[i];
            draw_node_line({corner.x, y}, fmt::format("{}", i + 1), ink_colour, scene_.network, element.node,
                           side_ - 96);
            number_at({corner.x + side_ - 44, y}, element.for_best);
            number_at({corner.x + side_, y}, element.for_other);
            y += list_line;
        }
        end_column(y);
    }

    void number_at(Point at, double value) {
        svg_.text(at + Point{0, 9}, format_signed(value), list_font, Attributes().set("text-anchor", "end"));
    }

    /// A badge, the mark of a node and its description.
    void draw_node_line(Point at, const std::string& badge, std::string_view colour, const Network& network,
                        NodeId node, double width) {
        draw_badge(svg_, at + Point{8, 5.5}, badge, colour);
        draw_mark(svg_, at + Point{26, 5.5}, 5, mark_of(network.type(node), scene_.style));
        const std::string words = fmt::format(
            "{}, {}", describe_type(network.type(node), network.schema(), scene_.style),
            describe_position(scene_.window, network.coordinate(node, 0), network.coordinate(node, 1)));
        svg_.text(at + Point{36, 9}, fit_text(words, list_font * 0.93, width - 36 + 12), list_font);
    }

    void draw_class(const ScoredClass& part, const std::vector<UnitPicture>& units, std::string_view why) {
        const Point corner = begin_column(fmt::format("{} {}: its units", why, part.label));
        double y = corner.y + side_ + 21;
        if (units.empty()) {
            const Frame frame{corner, side_, scene_.window};
            draw_centred_text(svg_, frame, "nothing learned yet");
            draw_frame(svg_, frame);
        } else {
            y = std::max(y, corner.y + draw_unit_pictures(svg_, corner, side_, scene_.window, units));
        }
        y += draw_bars(svg_, {corner.x, y}, side_, bars_of(part, options_.max_bars), part.score);
        end_column(y);
    }

    void draw_change() {
        const Change& change = *all_.change;
        const Point corner = begin_column(fmt::format("What would make it {}", all_.other->label));
        const Frame frame{corner, side_, scene_.window};
        draw_additions(svg_, frame, scene_, additions_);
        double y = corner.y + side_ + 21;
        for (std::size_t i = 0; i < additions_.size() && i < options_.max_bars + 4; ++i) {
            draw_addition_line({corner.x, y}, addition_letter(i), change.added[i], additions_[i].pattern);
            y += list_line;
        }
        const std::string words =
            change.found() ? fmt::format("then {} scores {} and {} {}", all_.other->label,
                                         format_score(change.scores[all_.other->index], 2), all_.best->label,
                                         format_score(change.scores[all_.best->index], 2))
                           : std::string("no sufficient addition was found");
        svg_.text({corner.x, y + 9}, fit_text(words, list_font, side_), list_font,
                  Attributes().set("fill", soft_colour));
        end_column(y + list_line);
    }

    void draw_addition_line(Point at, const std::string& badge, const Addition& added, const Network& nodes) {
        if (added.nodes.empty()) return draw_unit_line(at, badge, added.unit);
        if (added.nodes.size() == 1) return draw_node_line(at, badge, series_colour(0), nodes, 0, side_);
        const auto middle = static_cast<NodeId>(added.nodes.size() / 2);
        draw_badge(svg_, at + Point{8, 5.5}, badge, series_colour(0));
        const std::string words = fmt::format(
            "bend of {} nodes, {}", added.nodes.size(),
            describe_position(scene_.window, nodes.coordinate(middle, 0), nodes.coordinate(middle, 1)));
        svg_.text(at + Point{24, 9}, fit_text(words, list_font, side_ - 24), list_font);
    }

    void draw_unit_line(Point at, const std::string& badge, Lineage lineage) {
        draw_badge(svg_, at + Point{8, 5.5}, badge, series_colour(0));
        for (const std::optional<ScoredClass>* part : {&all_.other, &all_.best})
            for (std::size_t i = 0; i < (*part)->units.size(); ++i) {
                const UnitView& unit = (*part)->units[i].unit;
                if (unit.lineage != lineage) continue;
                const std::string words =
                    fmt::format("unit {} of {}, {} {}", i + 1, unit.label,
                                format_count(unit.own_nodes, "node"), is_negative(unit) ? "(against)" : "");
                svg_.text(at + Point{24, 9}, fit_text(words, list_font, side_ - 24), list_font);
            }
    }

    [[nodiscard]] std::vector<LegendBlock> legend_blocks() const {
        LegendBlock values{"Discs and bars", {}, 1};
        const auto disc = [](double value) {
            return [value](Svg& svg, Point at) { draw_value_disc(svg, at, value, 1, 8); };
        };
        values.entries.push_back({disc(1), "raises the score or the lead"});
        values.entries.push_back({disc(-1), "lowers it; the area is the amount"});
        values.entries.push_back({[](Svg& svg, Point at) {
                                      svg.rect(
                                          at - Point{12, 4.5}, 24, 9,
                                          Attributes().set("fill", "#fff").set("stroke", negative_colour));
                                  },
                                  "hollow: something missing"});
        std::vector<LegendBlock> blocks = {std::move(values)};
        std::vector<Overlay> overlays;
        for (const auto* units : {&best_, &other_})
            for (const UnitPicture& unit : *units) overlays.push_back(unit.overlay);
        if (overlays.empty()) return blocks;
        std::vector<LegendBlock> more = overlay_legend(overlays);
        if (!overlays.front().weights.empty())
            more.front().entries.push_back({[](Svg& svg, Point at) {
                                                svg.text(at + Point{-13, 4}, "80 %", list_font);
                                            },
                                            "share of the unit in the likelihood of its class"});
        if (overlays.front().weights.empty()) {
            const NodeMark mark = mark_of(0, scene_.style);
            more.front().entries.push_back({[mark](Svg& svg, Point at) { draw_missing(svg, at, 4.5, mark); },
                                            "missing node, at its usual position"});
            std::ranges::move(frame_entries(), std::back_inserter(more.front().entries));
        }
        std::ranges::move(more, std::back_inserter(blocks));
        return blocks;
    }

    const LocalExplanation& all_;
    const ExplanationFigureOptions& options_;
    double side_;
    Scene scene_;
    std::vector<UnitPicture> best_;
    std::vector<UnitPicture> other_;
    std::vector<Overlay> additions_;
    Svg svg_;
    double width_ = 0;
    double top_ = 0;
    double bottom_ = 0;
    std::size_t used_ = 0;
};

} // namespace

std::string draw_explanation(const LocalExplanation& explanation, const ExplanationFigureOptions& options) {
    if (options.max_units == 0 || options.max_bars == 0)
        throw usage_error(
            "cannot draw an explanation without units: max_units and max_bars must be at least 1");
    return Page(explanation, options).draw();
}

} // namespace sprig
