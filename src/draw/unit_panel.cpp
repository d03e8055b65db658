#include "draw/unit_panel.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/weighted_panel.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

constexpr double record_size = 10;
constexpr double unit_badge_radius = 6;

std::string_view polarity_colour(const UnitView& unit) {
    return is_negative(unit) ? negative_colour : positive_colour;
}

void check_unit(const UnitView& unit) {
    if (unit.own_nodes > unit.pattern.node_count())
        throw bad_input(fmt::format("cannot draw unit {:016x}: it has {} of its own, but its pattern has {}",
                                    unit.lineage, format_count(unit.own_nodes, "node"),
                                    unit.pattern.node_count()));
    if (has_weighted_nodes(unit)) check_weighted(unit);
}

/// Finds a node of the target units in the network, or adds it. An anchor is identical to a node of a target:
/// it has the same type and position.
NodeId place_below(UnitWithChain& unit_chain, const Network& pattern, NodeId node) {
    Network& whole = unit_chain.network;
    for (NodeId known = 0; known < whole.node_count(); ++known)
        if (unit_chain.roles[known] != NodeRole::own && whole.type(known) == pattern.type(node) &&
            std::ranges::equal(whole.position(known), pattern.position(node)))
            return known;
    unit_chain.roles.push_back(NodeRole::below);
    return whole.add_node(pattern.type(node), pattern.position(node), pattern.attributes(node));
}

void add_below(UnitWithChain& unit_chain, const Network& pattern) {
    std::vector<NodeId> placed;
    for (NodeId node = 0; node < pattern.node_count(); ++node)
        placed.push_back(place_below(unit_chain, pattern, node));
    for (Edge edge : pattern.edges()) {
        edge.from = placed[edge.from];
        edge.to = placed[edge.to];
        unit_chain.network.add_edge(edge);
    }
}

/// A minus sign on the corner of a frame, where no node can be.
void draw_minus_badge(Svg& svg, Point centre) {
    svg.circle(centre, unit_badge_radius,
               Attributes().set("fill", negative_colour).set("stroke", "#fff").set("stroke-width", 1));
    svg.rect(centre - Point{3.2, 0.8}, 6.4, 1.6, Attributes().set("fill", "#fff"));
}

void draw_bar(Svg& svg, Point corner, double width, double share, std::string_view colour) {
    constexpr double height = 3;
    svg.rect(corner, width, height, Attributes().set("fill", shape_colour));
    if (share > 0) svg.rect(corner, width * share, height, Attributes().set("fill", colour));
}

void draw_counts(Svg& svg, Point corner, double width, const UnitView& unit) {
    const double share = unit.observations() > 0
                             ? static_cast<double>(unit.active) / static_cast<double>(unit.observations())
                             : 0;
    draw_bar(svg, corner + Point{0, 5}, width, share, polarity_colour(unit));
    const std::string record =
        fmt::format("{} {}/{}", is_negative(unit) ? minus_sign : "+", unit.active, unit.observations());
    const std::string with_depth = fmt::format("{}, depth {}", record, unit.depth);
    const bool fits = fit_text(with_depth, record_size, width) == with_depth;
    svg.text(corner + Point{0, 20}, fits ? with_depth : fit_text(record, record_size, width), record_size);
}

/// The number of samples, their share of the class, and the number of nodes.
void draw_weighted_counts(Svg& svg, Point corner, double width, const UnitView& unit,
                          std::uint64_t class_samples) {
    const double share = static_cast<double>(unit.active) /
                         static_cast<double>(std::max({class_samples, unit.active, std::uint64_t{1}}));
    constexpr double likely = 0.5;
    const auto likely_nodes =
        std::ranges::count_if(unit.nodes, [](const NodeView& node) { return node.presence >= likely; });
    draw_bar(svg, corner + Point{0, 5}, width, share, positive_colour);
    // 100 % only if it is exactly all.
    const std::string samples =
        fmt::format("{} ({}%)", format_count(unit.active, "sample"),
                    share < 1 && share > 0.995 ? "over 99 " : fmt::format("{:.0f} ", 100 * share));
    const std::string nodes =
        fmt::format("{}, {} likely", format_count(unit.own_nodes, "node"), likely_nodes);
    svg.text(corner + Point{0, 20}, fit_text(samples, record_size, width), record_size);
    svg.text(corner + Point{0, 33}, fit_text(nodes, record_size, width), record_size,
             Attributes().set("fill", soft_colour));
}

std::string tooltip_of(const UnitWithChain& unit_chain) {
    const UnitView& unit = *unit_chain.unit;
    if (!unit_chain.labelled) return {};
    return fmt::format("unit {:016x} of {}, born in step {}: {}, {}", unit.lineage, unit.label, unit.born,
                       format_count(unit.own_nodes, "node"),
                       format_count(unit.pattern.node_count() - unit.own_nodes, "anchor"));
}

/// The nodes and edges of a unit without node probabilities.
void draw_unit_network(Svg& svg, const Frame& frame, const UnitWithChain& unit_chain,
                       const SchemaStyle& style, std::uint32_t levels) {
    draw_marks(svg, frame, unit_chain.network, style,
               {.tooltips = false,
                .levels = levels,
                .roles = unit_chain.roles,
                .first_edge_below = static_cast<EdgeId>(unit_chain.unit->pattern.edge_count()),
                .mark_scale = 1.5});
}

} // namespace

bool is_negative(const UnitView& unit) {
    return unit.polarity == Polarity::negative;
}

void draw_unit_frame(Svg& svg, Point corner, double width, double height, bool negative) {
    svg.rect(corner, width, height,
             Attributes()
                 .set("fill", "none")
                 .set("stroke", negative ? negative_colour : frame_colour)
                 .set("stroke-width", negative ? 1.5 : 1));
    if (negative) draw_minus_badge(svg, corner + Point{width, 0});
}

bool has_weighted_nodes(const UnitView& unit) {
    return !unit.nodes.empty();
}

std::vector<const UnitView*> target_chain(const UnitView& unit, const UnitsByLineage& by_lineage) {
    std::vector<const UnitView*> chain;
    for (const UnitView* at = &unit; at->target;) {
        const auto found = by_lineage.find(*at->target);
        // A cyclic chain or one with another schema is invalid, but drawing must terminate.
        if (found == by_lineage.end() || found->second == &unit ||
            std::ranges::find(chain, found->second) != chain.end() ||
            found->second->pattern.schema() != unit.pattern.schema())
            break;
        at = chain.emplace_back(found->second);
    }
    return chain;
}

UnitWithChain unit_with_chain(const UnitView& unit, std::span<const UnitView* const> below) {
    check_unit(unit);
    UnitWithChain unit_chain{.unit = &unit, .network = unit.pattern, .roles = {}};
    unit_chain.roles.assign(unit.pattern.node_count(), NodeRole::anchor);
    std::fill_n(unit_chain.roles.begin(), unit.own_nodes, NodeRole::own);
    for (const UnitView* lower : below) add_below(unit_chain, lower->pattern);
    return unit_chain;
}

void draw_unit_pattern(Svg& svg, const Frame& frame, const UnitWithChain& unit_chain,
                       const SchemaStyle& style, std::uint32_t levels) {
    if (has_weighted_nodes(*unit_chain.unit))
        draw_weighted(svg, frame, *unit_chain.unit, style);
    else
        draw_unit_network(svg, frame, unit_chain, style, levels);
}

void draw_unit(Svg& svg, const Frame& frame, const UnitWithChain& unit_chain, const SchemaStyle& style,
               std::uint32_t levels) {
    const UnitView& unit = *unit_chain.unit;
    const auto group = svg.group(Attributes()
                                     .set("class", is_negative(unit) ? "unit negative" : "unit positive")
                                     .set("data-lineage", fmt::format("{:016x}", unit.lineage)));
    // The background has the tooltip, because a group cannot have one.
    Attributes background;
    background.set("fill", is_negative(unit) ? negative_paper : "#fff").set("x", frame.corner.x);
    background.set("y", frame.corner.y).set("width", frame.size).set("height", frame.size);
    svg.element("rect", background, tooltip_of(unit_chain));
    if (unit_chain.network.node_count() == 0) draw_centred_text(svg, frame, "no nodes");
    draw_unit_pattern(svg, frame, unit_chain, style, levels);
    draw_unit_frame(svg, frame.corner, frame.size, frame.size, is_negative(unit));
    const Point below = frame.corner + Point{0, frame.size};
    if (has_weighted_nodes(unit))
        draw_weighted_counts(svg, below, frame.size, unit, unit_chain.class_samples);
    else
        draw_counts(svg, below, frame.size, unit);
}

LegendEntry share_entry(std::string meaning) {
    return {[](Svg& svg, Point at) {
                draw_bar(svg, at - Point{13, 1.5}, 26, 0.7, positive_colour);
            },
            std::move(meaning)};
}

std::vector<LegendEntry> frame_entries() {
    const auto frame_entry = [](bool negative, std::string meaning) {
        return LegendEntry{[negative](Svg& svg, Point at) {
                               draw_unit_frame(svg, at - Point{10, 6}, 20, 13, negative);
                           },
                           std::move(meaning)};
    };
    return {frame_entry(false, "+ evidence for its target: the class or another unit"),
            frame_entry(true, fmt::format("{} evidence against its target", minus_sign))};
}

LegendBlock unit_legend(const SchemaStyle& style) {
    const auto node_entry = [&](NodeRole role, std::string meaning) {
        return LegendEntry{[=](Svg& svg, Point at) { draw_role_symbol(svg, at, 5, mark_of(0, style), role); },
                           std::move(meaning)};
    };
    LegendBlock block{"Unit: a learned pattern", frame_entries(), 1};
    block.entries.push_back(share_entry("a/b: correct in a of b observations"));
    block.entries.push_back(node_entry(NodeRole::anchor, "anchor: a node shared with its target unit"));
    block.entries.push_back(node_entry(NodeRole::below, "faint: its chain of target units"));
    return block;
}

} // namespace sprig::draw
