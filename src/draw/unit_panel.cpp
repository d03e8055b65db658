#include "draw/unit_panel.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/weighed_panel.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

constexpr double record_size = 10;
constexpr double badge_radius = 6;

std::string_view polarity_colour(const UnitView& unit) {
    return is_negative(unit) ? negative_colour : positive_colour;
}

void check_unit(const UnitView& unit) {
    if (unit.own_nodes > unit.pattern.node_count())
        throw bad_input(
            fmt::format("unit {:016x} cannot be drawn: it has {} of its own, but its pattern has {}",
                        unit.lineage, counted(unit.own_nodes, "node"), unit.pattern.node_count()));
    if (weighs_nodes(unit)) check_weighed(unit);
}

/// Finds the node of the units below that a node is, or adds it. An anchor is the very node of a unit below,
/// so it has that one's type and place.
NodeId place_below(Configuration& configuration, const Network& pattern, NodeId node) {
    Network& whole = configuration.network;
    for (NodeId known = 0; known < whole.node_count(); ++known)
        if (configuration.roles[known] != NodeRole::own && whole.type(known) == pattern.type(node) &&
            std::ranges::equal(whole.position(known), pattern.position(node)))
            return known;
    configuration.roles.push_back(NodeRole::below);
    return whole.add_node(pattern.type(node), pattern.position(node), pattern.attributes(node));
}

void add_below(Configuration& configuration, const Network& pattern) {
    std::vector<NodeId> placed;
    for (NodeId node = 0; node < pattern.node_count(); ++node)
        placed.push_back(place_below(configuration, pattern, node));
    for (Edge edge : pattern.edges()) {
        edge.from = placed[edge.from];
        edge.to = placed[edge.to];
        configuration.network.add_edge(edge);
    }
}

/// A minus that sits on the frame's corner, where no node can be.
void draw_badge(Svg& svg, Point centre) {
    svg.circle(centre, badge_radius,
               Attributes().set("fill", negative_colour).set("stroke", "#fff").set("stroke-width", 1));
    svg.rect(centre - Point{3.2, 0.8}, 6.4, 1.6, Attributes().set("fill", "#fff"));
}

/// How much of a bar is full.
void draw_bar(Svg& svg, Point corner, double width, double share, std::string_view colour) {
    constexpr double height = 3;
    svg.rect(corner, width, height, Attributes().set("fill", shape_colour));
    if (share > 0) svg.rect(corner, width * share, height, Attributes().set("fill", colour));
}

void draw_record(Svg& svg, Point corner, double width, const UnitView& unit) {
    const double share = unit.observations() > 0
                             ? static_cast<double>(unit.active) / static_cast<double>(unit.observations())
                             : 0;
    draw_bar(svg, corner + Point{0, 5}, width, share, polarity_colour(unit));
    const std::string record =
        fmt::format("{} {}/{}", is_negative(unit) ? minus : "+", unit.active, unit.observations());
    const std::string with_depth = fmt::format("{}, depth {}", record, unit.depth);
    const bool fits = fit_text(with_depth, record_size, width) == with_depth;
    svg.text(corner + Point{0, 20}, fits ? with_depth : fit_text(record, record_size, width), record_size);
}

/// How many samples joined, which share of its class that is, and how many nodes they left.
void draw_weighed_record(Svg& svg, Point corner, double width, const UnitView& unit,
                         std::uint64_t class_samples) {
    const double share = static_cast<double>(unit.active) /
                         static_cast<double>(std::max({class_samples, unit.active, std::uint64_t{1}}));
    constexpr double likely = 0.5;
    const auto certain =
        std::ranges::count_if(unit.nodes, [](const NodeView& node) { return node.presence >= likely; });
    draw_bar(svg, corner + Point{0, 5}, width, share, positive_colour);
    // All of them only if it is all of them.
    const std::string samples =
        fmt::format("{} ({}%)", counted(unit.active, "sample"),
                    share < 1 && share > 0.995 ? "over 99 " : fmt::format("{:.0f} ", 100 * share));
    const std::string nodes = fmt::format("{}, {} likely", counted(unit.own_nodes, "node"), certain);
    svg.text(corner + Point{0, 20}, fit_text(samples, record_size, width), record_size);
    svg.text(corner + Point{0, 33}, fit_text(nodes, record_size, width), record_size,
             Attributes().set("fill", soft_colour));
}

std::string tooltip_of(const Configuration& configuration) {
    const UnitView& unit = *configuration.unit;
    if (!configuration.labelled) return {};
    return fmt::format("unit {:016x} of {}, born in step {}: {}, {}", unit.lineage, unit.label, unit.born,
                       counted(unit.own_nodes, "node"),
                       counted(unit.pattern.node_count() - unit.own_nodes, "anchor"));
}

/// A unit that asks for its nodes: all of them, with the edges between them.
void draw_configuration(Svg& svg, const Frame& frame, const Configuration& configuration,
                        const Reading& reading, std::uint32_t levels) {
    draw_marks(svg, frame, configuration.network, reading,
               {.tooltips = false,
                .levels = levels,
                .roles = configuration.roles,
                .below_from = static_cast<EdgeId>(configuration.unit->pattern.edge_count()),
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
    if (negative) draw_badge(svg, corner + Point{width, 0});
}

bool weighs_nodes(const UnitView& unit) {
    return !unit.nodes.empty();
}

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

Configuration configuration_of(const UnitView& unit, std::span<const UnitView* const> below) {
    check_unit(unit);
    Configuration configuration{.unit = &unit, .network = unit.pattern, .roles = {}};
    configuration.roles.assign(unit.pattern.node_count(), NodeRole::anchor);
    std::fill_n(configuration.roles.begin(), unit.own_nodes, NodeRole::own);
    for (const UnitView* lower : below) add_below(configuration, lower->pattern);
    return configuration;
}

void draw_unit(Svg& svg, const Frame& frame, const Configuration& configuration, const Reading& reading,
               std::uint32_t levels) {
    const UnitView& unit = *configuration.unit;
    const auto group = svg.group(Attributes()
                                     .set("class", is_negative(unit) ? "unit negative" : "unit positive")
                                     .set("data-lineage", fmt::format("{:016x}", unit.lineage)));
    // The paper of the panel bears its tooltip, since a group cannot.
    Attributes paper;
    paper.set("fill", is_negative(unit) ? negative_paper : "#fff").set("x", frame.corner.x);
    paper.set("y", frame.corner.y).set("width", frame.size).set("height", frame.size);
    svg.element("rect", paper, tooltip_of(configuration));
    if (configuration.network.node_count() == 0) draw_remark(svg, frame, "no nodes");
    const bool weighed = weighs_nodes(unit);
    if (weighed)
        draw_weighed(svg, frame, unit, reading);
    else
        draw_configuration(svg, frame, configuration, reading, levels);
    draw_unit_frame(svg, frame.corner, frame.size, frame.size, is_negative(unit));
    const Point below = frame.corner + Point{0, frame.size};
    if (weighed)
        draw_weighed_record(svg, below, frame.size, unit, configuration.class_samples);
    else
        draw_record(svg, below, frame.size, unit);
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
    return {frame_entry(false, "+ speaks for its class, or for the unit that it conditions"),
            frame_entry(true, fmt::format("{} speaks against it: found as well, it does not hold", minus))};
}

LegendBlock unit_legend(const Reading& reading) {
    const auto node_entry = [&](NodeRole role, std::string meaning) {
        return LegendEntry{[=](Svg& svg, Point at) { draw_role_sign(svg, at, 5, mark_of(0, reading), role); },
                           std::move(meaning)};
    };
    LegendBlock block{"Unit: what was learned to look for", frame_entries(), 1};
    block.entries.push_back(share_entry("a/b: right in a of b observations"));
    block.entries.push_back(node_entry(NodeRole::anchor, "anchor: a node of a unit that it conditions"));
    block.entries.push_back(
        node_entry(NodeRole::below, "faint: the units that it conditions, down to the class"));
    return block;
}

} // namespace sprig::draw
