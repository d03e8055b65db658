#include "draw/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <tuple>
#include <utility>

#include "core/elementary.h"
#include "sprig/front_end.h"

namespace sprig::draw {
namespace {

double square(Point vector) {
    return (vector.x * vector.x) + (vector.y * vector.y);
}

double dot(Point a, Point b) {
    return (a.x * b.x) + (a.y * b.y);
}

Point point_of(const std::array<double, 2>& pair) {
    return {pair[0], pair[1]};
}

/// The outline at a node.
struct Turn {
    int normal = 0;     ///< direction of the normal, away from the ink: steps of pi / K from x towards y
    bool convex = true; ///< in which direction the normal turns
    Point inward = {};
    Point tangent = {}; ///< along the contour, with the ink on the left
};

Turn turn_of(std::uint32_t type, const SchemaStyle& style) {
    if (!style.change_points) return {};
    const ChangeKind kind = ChangeKind::from_index(type);
    // At a convex extremum the normal points along the direction of the extremum, at a concave one against
    // it.
    const bool along = kind.maximum == kind.convex;
    const int normal = kind.direction + (along ? 0 : style.directions);
    const double angle = std::numbers::pi * normal / style.directions;
    const Point inward{-std::cos(angle), -std::sin(angle)};
    return {normal, kind.convex, inward, {-inward.y, inward.x}};
}

/// The nodes of a unit, ready to be joined.
struct Nodes {
    const UnitView& unit;
    int directions;
    std::vector<Turn> turns;

    [[nodiscard]] std::size_t size() const { return unit.nodes.size(); }
    [[nodiscard]] double presence(NodeId node) const { return unit.nodes[node].presence; }
    [[nodiscard]] Point place(NodeId node) const {
        return {unit.pattern.coordinate(node, 0), unit.pattern.coordinate(node, 1)};
    }
    [[nodiscard]] Point next(NodeId node) const { return place(node) + point_of(unit.nodes[node].to_next); }
    [[nodiscard]] Point previous(NodeId node) const {
        return place(node) + point_of(unit.nodes[node].to_previous);
    }
};

Nodes nodes_of(const UnitView& unit, const SchemaStyle& style) {
    Nodes nodes{unit, style.directions, {}};
    for (NodeId node = 0; node < unit.nodes.size(); ++node)
        nodes.turns.push_back(turn_of(unit.pattern.type(node), style));
    return nodes;
}

/// The difference between the normal of `to` and the one that must follow `from`, in steps. On a contour the
/// normal either turns on by one step, or turns back and passes the same step again.
int normal_error(const Turn& from, const Turn& to, int directions) {
    if (directions == 0) return 0;
    const int onward = from.convex ? -1 : 1;
    const int expected = from.normal + (from.convex == to.convex ? onward : 0);
    const int off = std::abs(to.normal - expected) % (2 * directions);
    return std::min(off, (2 * directions) - off);
}

/// Two nodes that may be consecutive, and the cost of joining them.
struct Join {
    double cost = 0;
    NodeId from = 0;
    NodeId to = 0;
};

/// The cost is based on squared distances in px between expected and actual positions.
Join join_of(const Nodes& nodes, NodeId from, NodeId to) {
    // Coarsening may have removed nodes in between, so a wrong step is unlikely but possible.
    constexpr double per_step = 6;
    constexpr double per_absence = 3;
    constexpr double min_presence = 0.02;
    const int error = normal_error(nodes.turns[from], nodes.turns[to], nodes.directions);
    const double absent = -elementary::log(std::max(nodes.presence(from), min_presence)) -
                          elementary::log(std::max(nodes.presence(to), min_presence));
    return {square(nodes.next(from) - nodes.place(to)) + square(nodes.previous(to) - nodes.place(from)) +
                (per_step * error * error) + (per_absence * absent),
            from, to};
}

/// All joins up to a cost, cheapest first.
std::vector<Join> joins_of(const Nodes& nodes, double max_cost) {
    std::vector<Join> joins;
    for (NodeId from = 0; from < nodes.size(); ++from) {
        for (NodeId to = 0; to < nodes.size(); ++to) {
            const Join join = join_of(nodes, from, to);
            if (from != to && join.cost <= max_cost) joins.push_back(join);
        }
    }
    std::ranges::sort(joins, {}, [](const Join& join) { return std::tuple(join.cost, join.from, join.to); });
    return joins;
}

/// The length of a curve's control handle in chords, such that an even turn is nearly a circular arc.
double handle(Point begin_tangent, Point end_tangent) {
    const double turned = std::acos(std::clamp(dot(begin_tangent, end_tangent), -1.0, 1.0));
    constexpr double straight = 0.01;
    return turned < straight ? 1.0 / 3 : (2.0 / 3) * std::tan(turned / 4) / std::sin(turned / 2);
}

void bend(OutlineStroke& stroke, Point begin_tangent, Point end_tangent) {
    const double chord = length(stroke.end - stroke.begin);
    const Point along = chord > 0 ? (stroke.end - stroke.begin) * (1 / chord) : Point{};
    const double reach = chord * handle(begin_tangent, end_tangent);
    // A tangent that points away from the other end would make a loop, so its influence is limited.
    const auto trust = [&](Point tangent) { return std::clamp(0.3 + dot(tangent, along), 0.1, 1.0); };
    stroke.first_control = stroke.begin + begin_tangent * (reach * trust(begin_tangent));
    stroke.second_control = stroke.end - end_tangent * (reach * trust(end_tangent));
}

OutlineStroke stroke_of(const Nodes& nodes, NodeId from, NodeId to) {
    OutlineStroke stroke;
    stroke.from = from;
    stroke.to = to;
    stroke.begin = nodes.place(from);
    stroke.end = nodes.place(to);
    stroke.begin_inward = nodes.turns[from].inward;
    stroke.end_inward = nodes.turns[to].inward;
    stroke.weight = std::min(nodes.presence(from), nodes.presence(to));
    bend(stroke, nodes.turns[from].tangent, nodes.turns[to].tangent);
    return stroke;
}

constexpr double inferred_factor = 0.5; ///< factor for strokes that are only inferred

/// A stroke to where the next node is expected, if the unit has no node there.
OutlineStroke open_stroke(const Nodes& nodes, NodeId from) {
    const Turn& turn = nodes.turns[from];
    OutlineStroke stroke;
    stroke.from = from;
    stroke.begin = nodes.place(from);
    stroke.end = nodes.next(from);
    stroke.begin_inward = stroke.end_inward = turn.inward;
    stroke.weight = nodes.presence(from) * inferred_factor;
    bend(stroke, turn.tangent, turn.tangent);
    return stroke;
}

/// Joins nodes to an outline.
class OutlineBuilder {
  public:
    explicit OutlineBuilder(const Nodes& nodes)
        : nodes_(nodes), next_(nodes.size(), no_node), has_next_(nodes.size(), false),
          has_previous_(has_next_) {}

    /// Joins nodes so that each has one successor and one predecessor, then joins the rest to their best fit.
    void join_all() {
        const std::vector<Join> joins = joins_of(nodes_, max_cost);
        for (const Join& pair : joins) {
            if (has_next_[pair.from] || has_previous_[pair.to]) continue;
            add(pair.from, pair.to);
            next_[pair.from] = pair.to;
        }
        for (const Join& pair : joins)
            if (!has_next_[pair.from] || !has_previous_[pair.to]) add(pair.from, pair.to);
        for (NodeId node = 0; node < nodes_.size(); ++node)
            if (!has_next_[node]) strokes_.push_back(open_stroke(nodes_, node));
    }

    /// Joins likely nodes that have only unlikely nodes between them: usually those are absent.
    void join_likely() {
        has_next_.assign(nodes_.size(), false);
        has_previous_.assign(nodes_.size(), false);
        for (NodeId node = 0; node < nodes_.size(); ++node)
            if (is_likely(node)) skip_unlikely(node);
        for (const Join& pair : joins_of(nodes_, max_cost_of_likely)) {
            if (!is_likely(pair.from) || !is_likely(pair.to) || has_next_[pair.from] ||
                has_previous_[pair.to])
                continue;
            add(pair.from, pair.to);
            strokes_.back().weight *= inferred_factor;
        }
    }

    [[nodiscard]] std::vector<OutlineStroke> strokes() && { return std::move(strokes_); }

  private:
    static constexpr double likely = 0.5;
    static constexpr double max_cost = 45;
    static constexpr double max_cost_of_likely = 65;

    [[nodiscard]] bool is_likely(NodeId node) const { return nodes_.presence(node) >= likely; }

    void add(NodeId from, NodeId to) {
        strokes_.push_back(stroke_of(nodes_, from, to));
        has_next_[from] = true;
        has_previous_[to] = true;
    }

    /// Adds a stroke to the next likely node, if there is one.
    void skip_unlikely(NodeId from) {
        double passed = 0;
        NodeId at = next_[from];
        // Successors are unique, so the loop ends or returns to `from`, which is likely.
        for (; at != no_node && !is_likely(at); at = next_[at])
            passed = passed > 0 ? std::min(passed, nodes_.presence(at)) : nodes_.presence(at);
        if (at == no_node || at == from || join_of(nodes_, from, at).cost > max_cost_of_likely) return;
        has_next_[from] = true;
        has_previous_[at] = true;
        if (at == next_[from]) return;
        strokes_.push_back(stroke_of(nodes_, from, at));
        strokes_.back().weight -= passed;
    }

    const Nodes& nodes_;
    std::vector<NodeId> next_; ///< `no_node` if unknown
    std::vector<bool> has_next_;
    std::vector<bool> has_previous_;
    std::vector<OutlineStroke> strokes_;
};

} // namespace

std::vector<OutlineStroke> outline_of(const UnitView& unit, const SchemaStyle& style) {
    const Nodes nodes = nodes_of(unit, style);
    OutlineBuilder outline(nodes);
    outline.join_all();
    outline.join_likely();
    return std::move(outline).strokes();
}

} // namespace sprig::draw
