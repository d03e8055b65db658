#include "draw/explanation_panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/elementary.h"
#include "draw/layout.h"
#include "draw/palette.h"
#include "draw/placed.h"
#include "draw/placed_unit.h"
#include "draw/unit_panel.h"
#include "explain/ghost.h"

namespace sprig::draw {
namespace {

constexpr double badge_radius = 7.5;
/// Units of a mixture with a smaller share are not drawn.
constexpr double min_drawn_share = 0.05;

/// Approximates contours by the nodes of a network, if there is no image.
std::vector<Contour> contours_of(const Network& network) {
    std::vector<Contour> contours;
    std::vector<bool> visited(network.node_count(), false);
    for (NodeId first = 0; first < network.node_count(); ++first) {
        if (visited[first]) continue;
        Contour contour;
        for (NodeId at = first; at != no_node && !visited[at]; at = network.next(at)) {
            visited[at] = true;
            contour.points.push_back({network.coordinate(at, 0), network.coordinate(at, 1)});
        }
        contours.push_back(std::move(contour));
    }
    return contours;
}

ConstructionFigure figure_of(const LocalExplanation& all) {
    ConstructionFigure figure{.name = {},
                              .label = {},
                              .original = {},
                              .input = {},
                              .binarized = {},
                              .contours = {},
                              .network = all.network,
                              .params = {},
                              .notes = {}};
    if (all.front_end_view) {
        figure.input = all.front_end_view->image;
        figure.binarized = all.front_end_view->binarized;
        figure.contours = all.front_end_view->contours;
        figure.params = all.front_end_view->front_end;
    } else {
        figure.contours = contours_of(all.network);
    }
    return figure;
}

const ScoredUnit* find_unit(const ScoredClass& part, Lineage lineage) {
    const auto found =
        std::ranges::find_if(part.units, [&](const ScoredUnit& one) { return one.unit.lineage == lineage; });
    return found == part.units.end() ? nullptr : &*found;
}

PlacedUnit placed(const ScoredUnit& part) {
    return {&part.unit, part.contribution.placed, part.contribution.pose};
}

/// A unit of a class with its chain of targets.
Overlay unit_overlay(const Scene& scene, const ScoredClass& part, const ScoredUnit& shown) {
    UnitsByLineage known;
    for (const ScoredUnit& one : part.units) known.emplace(one.unit.lineage, &one.unit);
    std::vector<PlacedUnit> below;
    for (const UnitView* lower : target_chain(shown.unit, known))
        below.push_back(placed(*find_unit(part, lower->lineage)));
    Overlay overlay = overlay_of(placed(shown), below, scene.observed, scene.transform);
    overlay.values = shown.contribution.node_values;
    return overlay;
}

bool is_drawn(const ScoredUnit& part) {
    return part.contribution.log_likelihood ? part.share >= min_drawn_share : part.contribution.value != 0;
}

std::string caption_of(const ScoredUnit& part, std::size_t number) {
    if (part.contribution.log_likelihood) {
        const auto found =
            std::ranges::count_if(part.contribution.placed, [](NodeId node) { return node != no_node; });
        return fmt::format("unit {}: {:.0f} %, {} of {} found", number, 100 * part.share, found,
                           part.contribution.placed.size());
    }
    return fmt::format("unit {}: {} {}", number, part.contribution.present ? "found" : "not found",
                       format_signed(part.contribution.value));
}

/// The image in light grey, with its contours.
void draw_background(Svg& svg, const Frame& frame, const Scene& scene) {
    Overlay bare{.caption = {},
                 .note = {},
                 .observed = scene.observed,
                 .pattern = Network(scene.network.shared_schema()),
                 .placed = {}};
    bare.observed.network = scene.network;
    draw_overlay_picture(svg, frame, bare);
}

double distance(Point a, Point b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// A position beside a node that covers as little as possible.
Point badge_place(Point node, const Frame& frame, std::span<const Point> taken) {
    constexpr int angles = 16;
    Point best = node;
    double most = -1;
    for (const double away : {15.0, 21.0})
        for (int i = 0; i < angles; ++i) {
            const double angle = 2 * std::numbers::pi * i / angles;
            const Point at = node + Point{std::cos(angle), std::sin(angle)} * away;
            const Point inside = at - frame.corner;
            if (std::min(inside.x, inside.y) < badge_radius ||
                std::max(inside.x, inside.y) > frame.size - badge_radius)
                continue;
            double clearance = 40;
            for (const Point other : taken) clearance = std::min(clearance, distance(at, other));
            clearance -= away * 0.2; // prefer near positions
            if (clearance <= most) continue;
            most = clearance;
            best = at;
        }
    return best;
}

void draw_badges(Svg& svg, const Frame& frame, std::span<const Point> nodes, std::span<const Point> others,
                 std::span<const std::string> words, std::string_view colour) {
    std::vector<Point> taken(others.begin(), others.end());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Point at = badge_place(nodes[i], frame, taken);
        taken.push_back(at);
        svg.line(nodes[i], at, Attributes().set("stroke", colour).set("stroke-width", 0.8));
        draw_badge(svg, at, words[i], colour);
    }
}

std::vector<Point> places_of(const Frame& frame, const Network& network) {
    std::vector<Point> places;
    for (NodeId node = 0; node < network.node_count(); ++node)
        places.push_back(frame(network.coordinate(node, 0), network.coordinate(node, 1)));
    return places;
}

/// The position of a missing node, if possible one that no other badge points at.
Point missing_position(const Frame& frame, const Overlay& overlay, std::span<const Point> pointed_at) {
    Point place = frame.corner + Point{frame.size / 2, frame.size / 2};
    for (auto node = static_cast<NodeId>(overlay.pattern.node_count()); node-- > 0;) {
        if (overlay.placed[node] != no_node) continue;
        const Point at = frame(overlay.pattern.coordinate(node, 0), overlay.pattern.coordinate(node, 1));
        place = at;
        if (std::ranges::none_of(pointed_at, [&](Point other) { return distance(at, other) < 4; })) break;
    }
    return place;
}

std::vector<Bar> mixture_bars(const ScoredClass& part) {
    const ScoredUnit& first = part.units.front();
    Bar found{"", 0};
    Bar missing{"", 0, true};
    std::size_t there = 0;
    for (std::size_t i = 0; i < first.contribution.placed.size(); ++i) {
        const bool is_there = first.contribution.placed[i] != no_node;
        (is_there ? found : missing).value += first.contribution.node_values[i];
        if (is_there) ++there;
    }
    found.label = fmt::format("unit 1: {} found", format_count(there, "node"));
    missing.label = fmt::format("{} missing", format_count(first.contribution.placed.size() - there, "node"));
    const double share = elementary::exp(first.contribution.log_weight);
    const double others = part.score - *first.contribution.log_likelihood - first.contribution.log_weight;
    std::vector<Bar> bars = {
        found,
        missing,
        {fmt::format("share of samples: {:.0f} %", 100 * share), first.contribution.log_weight}};
    if (part.units.size() > 1) bars.push_back({format_count(part.units.size() - 1, "other unit"), others});
    return bars;
}

std::vector<Bar> sum_bars(const ScoredClass& part, std::size_t most) {
    std::vector<Bar> bars;
    Bar rest{"", 0};
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < part.units.size(); ++i) {
        const ScoredUnit& one = part.units[i];
        const bool is_last_of_all = i + 1 == part.units.size() && left_out == 0;
        if (one.contribution.value != 0 && (bars.size() + 1 < most || is_last_of_all)) {
            bars.push_back({fmt::format("unit {}{}, {}", i + 1, is_negative(one.unit) ? " (against)" : "",
                                        one.contribution.present ? "found" : "not found"),
                            one.contribution.value, !one.contribution.present});
        } else {
            ++left_out;
            rest.value += one.contribution.value;
        }
    }
    rest.label = format_count(left_out, "other unit");
    if (left_out > 0) bars.push_back(rest);
    return bars;
}

/// Leaves some nodes of the unit, as missing ones.
void keep_only(std::span<const NodeId> nodes, Overlay& overlay) {
    Network kept(overlay.pattern.shared_schema());
    for (const NodeId node : nodes)
        kept.add_node(overlay.pattern.type(node), overlay.pattern.position(node),
                      overlay.pattern.attributes(node));
    overlay.pattern = std::move(kept);
    overlay.placed.assign(nodes.size(), no_node);
    overlay.weights.assign(nodes.size(), NodeView{});
}

/// Where the contour would run.
void draw_ghost(Svg& svg, const Frame& frame, const Scene& scene, const Addition& added) {
    const ScoredUnit* unit = explain::unit_of(added, scene.all);
    PathData path;
    bool first = true;
    for (const std::array<double, 2>& at : explain::ghost_of(added, *unit)) {
        const Point place = to_image_coordinates(Point{at[0], at[1]}, scene.transform);
        const Point corner = frame(place.x, place.y);
        first ? path.move(corner) : path.line(corner);
        first = false;
    }
    if (first) return;
    svg.path(path, Attributes()
                       .set("class", "ghost")
                       .set("fill", "none")
                       .set("stroke", series_colour(0))
                       .set("stroke-width", 1.6)
                       .set("stroke-dasharray", "3 2.5")
                       .set("stroke-linejoin", "round"));
}

} // namespace

Scene scene_of(const LocalExplanation& explanation) {
    Scene scene{explanation,
                figure_of(explanation),
                explanation.front_end_view ? explanation.front_end_view->transform : CoordinateTransform{},
                explanation.network,
                schema_style(explanation.network.schema(), {.all_layers = true}),
                {}};
    scene.network = to_image_coordinates(explanation.network, scene.transform);
    ConstructionFigure in_px = scene.observed;
    in_px.network = scene.network;
    scene.window = window_around(in_px);
    return scene;
}

std::vector<UnitPicture> unit_pictures(const Scene& scene, const ScoredClass& part, std::size_t most) {
    std::vector<UnitPicture> shown;
    for (std::size_t i = 0; i < part.units.size() && shown.size() < most; ++i)
        if (shown.empty() || is_drawn(part.units[i]))
            shown.push_back({unit_overlay(scene, part, part.units[i]), caption_of(part.units[i], i + 1),
                             is_negative(part.units[i].unit)});
    return shown;
}

std::vector<Overlay> addition_pictures(const Scene& scene) {
    std::vector<Overlay> shown;
    if (!scene.all.change) return shown;
    for (const Addition& added : scene.all.change->added)
        for (const ScoredClass* part : {&*scene.all.other, &*scene.all.best}) {
            const ScoredUnit* unit = find_unit(*part, added.unit);
            if (unit == nullptr) continue;
            Overlay overlay = unit_overlay(scene, *part, *unit);
            overlay.values.clear();
            if (!added.nodes.empty()) keep_only(added.nodes, overlay);
            shown.push_back(std::move(overlay));
            break;
        }
    return shown;
}

void widen(Window& window, std::span<const Overlay> overlays) {
    const double rim = window.side * 0.04;
    double left = window.left;
    double top = window.top;
    double right = window.left + window.side;
    double bottom = window.top + window.side;
    for (const Overlay& overlay : overlays)
        for (NodeId node = 0; node < overlay.pattern.node_count(); ++node) {
            const bool missing = is_missing(overlay, node);
            if (!missing && (overlay.weights.empty() || overlay.placed[node] == no_node)) continue;
            // A missing node is drawn as a mark, a found one with the spread of its expected position.
            const double wide = missing ? rim : overlay.weights[node].spread[0];
            const double high = missing ? rim : overlay.weights[node].spread[1];
            left = std::min(left, overlay.pattern.coordinate(node, 0) - wide);
            right = std::max(right, overlay.pattern.coordinate(node, 0) + wide);
            top = std::min(top, overlay.pattern.coordinate(node, 1) - high);
            bottom = std::max(bottom, overlay.pattern.coordinate(node, 1) + high);
        }
    const double side = std::max(right - left, bottom - top);
    window = {((left + right) - side) / 2, ((top + bottom) - side) / 2, side};
}

void draw_decisive_points(Svg& svg, const Frame& frame, const Scene& scene) {
    draw_background(svg, frame, scene);
    double most = 0;
    for (const Element& element : scene.all.elements)
        most = std::max(most, std::abs(element.margin_effect()));
    const std::vector<Point> places = places_of(frame, scene.network);
    for (const Element& element : scene.all.elements)
        draw_value_disc(svg, places[element.node], element.margin_effect(), most, frame.size * 0.055);
    draw_marks(svg, frame, scene.network, scene.style, {.edges = false, .tooltips = false});
    std::vector<Point> nodes;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < scene.all.decisive_count; ++i) {
        nodes.push_back(places[scene.all.elements[i].node]);
        words.push_back(fmt::format("{}", i + 1));
    }
    draw_badges(svg, frame, nodes, places, words, ink_colour);
    draw_frame(svg, frame);
}

void draw_additions(Svg& svg, const Frame& frame, const Scene& scene, std::span<const Overlay> additions) {
    draw_background(svg, frame, scene);
    std::vector<Point> taken = places_of(frame, scene.network);
    std::vector<Point> nodes;
    std::vector<std::string> words;
    for (const Overlay& overlay : additions) {
        Overlay alone = overlay;
        alone.observed.input = {}; // the image has been drawn already
        alone.observed.contours.clear();
        alone.observed.binarized = {};
        draw_overlay_picture(svg, frame, alone);
        draw_ghost(svg, frame, scene, scene.all.change->added[nodes.size()]);
        words.push_back(addition_letter(nodes.size()));
        nodes.push_back(missing_position(frame, overlay, nodes));
    }
    taken.insert(taken.end(), nodes.begin(), nodes.end());
    draw_badges(svg, frame, nodes, taken, words, series_colour(0));
    draw_frame(svg, frame);
}

double draw_unit_pictures(Svg& svg, Point corner, double side, const Window& window,
                          std::span<const UnitPicture> units) {
    constexpr double gap = 8;
    constexpr double line = 17;
    const bool alone = units.size() == 1;
    const double each = alone ? side : (side - gap) / 2;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::size_t row = i / 2;
        const Point at = corner + Point{static_cast<double>(i % 2) * (each + gap),
                                        static_cast<double>(row) * (each + line + 4)};
        const Frame frame{at, each, window};
        draw_overlay_picture(svg, frame, units[i].overlay);
        draw_unit_frame(svg, at, each, each, units[i].negative);
        const double size = alone ? 10.5 : 9;
        svg.text(at + Point{0, each + 12}, fit_text(units[i].caption, size, each), size,
                 Attributes().set("fill", soft_colour));
    }
    const std::size_t rows = alone ? 1 : (units.size() + 1) / 2;
    return static_cast<double>(rows) * (each + line + 4);
}

std::vector<Bar> bars_of(const ScoredClass& part, std::size_t most) {
    if (part.units.empty()) return {};
    return part.units.front().contribution.log_likelihood ? mixture_bars(part) : sum_bars(part, most);
}

double draw_bars(Svg& svg, Point corner, double width, std::span<const Bar> bars, double sum) {
    constexpr double line = 16;
    constexpr double font = 10.5;
    const double words = width * 0.6;
    const double room = width - words - 50; // for the numbers on the right
    double least = 0;
    double most = 0;
    for (const Bar& bar : bars) {
        least = std::min(least, bar.value);
        most = std::max(most, bar.value);
    }
    const double zoom = most > least ? room / (most - least) : 0;
    const double zero = corner.x + words - (least * zoom);
    double y = corner.y;
    const auto number_at = [&](double value, const Attributes& look) {
        Attributes attributes = look;
        svg.text({corner.x + width, y + 11}, format_signed(value), font,
                 attributes.set("text-anchor", "end"));
    };
    for (const Bar& bar : bars) {
        const std::string_view colour = bar.value < 0 ? negative_colour : positive_colour;
        svg.text({corner.x, y + 11}, fit_text(bar.label, font, words - 6), font);
        svg.rect({std::min(zero, zero + (bar.value * zoom)), y + 3}, std::abs(bar.value) * zoom, 9,
                 Attributes()
                     .set("class", "bar")
                     .set("fill", bar.hollow ? "#fff" : colour)
                     .set("stroke", colour)
                     .set("stroke-width", 1));
        number_at(bar.value, {});
        y += line;
    }
    svg.line({corner.x, y + 1}, {corner.x + width, y + 1}, Attributes().set("stroke", frame_colour));
    y += 3;
    const Attributes bold = Attributes().set("font-weight", "bold");
    svg.text({corner.x, y + 11}, "score", font, bold);
    number_at(sum, bold);
    return y + line - corner.y;
}

void draw_badge(Svg& svg, Point centre, std::string_view words, std::string_view colour) {
    svg.circle(centre, badge_radius, Attributes().set("class", "badge").set("fill", colour));
    svg.text(centre + Point{0, 3.6}, words, 10,
             Attributes().set("fill", "#fff").set("text-anchor", "middle").set("font-weight", "bold"));
}

std::string format_signed(double value) {
    const std::string digits = fmt::format("{:.1f}", std::abs(value));
    if (digits == "0.0") return "0.0";
    return fmt::format("{}{}", value < 0 ? minus_sign : "+", digits);
}

std::string describe_type(std::uint32_t type, const Schema& schema, const SchemaStyle& style) {
    if (!style.change_points) return schema.node_types[type];
    // The direction of a mark in eighths of a turn, clockwise from the right.
    constexpr std::array<std::string_view, 8> directions = {"right", "down-right", "down", "down-left",
                                                            "left",  "up-left",    "up",   "up-right"};
    const ChangeKind kind = ChangeKind::from_index(type);
    const double eighths = (8.0 * kind.direction / (2.0 * style.directions)) + (kind.maximum ? 0 : 4);
    const auto index = static_cast<std::size_t>(std::lround(eighths)) % directions.size();
    return fmt::format("{} {}", kind.convex ? "bulge" : "dent", directions[index]);
}

std::string describe_position(const Window& window, double x, double y) {
    const auto third = [&](double at, double from) {
        return std::clamp((at - from) / window.side, 0.0, 0.999) * 3;
    };
    constexpr std::array<std::string_view, 3> rows = {"top", "middle", "bottom"};
    constexpr std::array<std::string_view, 3> columns = {" left", "", " right"};
    const auto row = static_cast<std::size_t>(third(y, window.top));
    const auto column = static_cast<std::size_t>(third(x, window.left));
    return fmt::format("{}{}", rows[row], columns[column]);
}

} // namespace sprig::draw
