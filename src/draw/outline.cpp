#include "draw/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <tuple>
#include <utility>

#include "sprig/front_end.h"

namespace sprig::draw {
namespace {

double length(Point vector) {
    return std::hypot(vector.x, vector.y);
}

double square(Point vector) {
    return (vector.x * vector.x) + (vector.y * vector.y);
}

double dot(Point a, Point b) {
    return (a.x * b.x) + (a.y * b.y);
}

Point point_of(const std::array<double, 2>& pair) {
    return {pair[0], pair[1]};
}

/// What a node says of the outline through it.
struct Turn {
    int normal = 0;     ///< where the normal points, away from the ink: steps of pi / K from x towards y
    bool convex = true; ///< which way the normal turns there
    Point inward = {};
    Point tangent = {}; ///< along the contour, which has the ink to its left
};

Turn turn_of(std::uint32_t type, const Reading& reading) {
    if (!reading.change_points) return {};
    const ChangeKind kind = ChangeKind::from_index(type);
    // Where ink bulges, its outermost point looks along the direction; where paper bulges into ink, the
    // paper's outermost point looks back.
    const bool along = kind.maximum == kind.convex;
    const int normal = kind.direction + (along ? 0 : reading.directions);
    const double angle = std::numbers::pi * normal / reading.directions;
    const Point inward{-std::cos(angle), -std::sin(angle)};
    return {normal, kind.convex, inward, {-inward.y, inward.x}};
}

/// A unit's nodes, ready to be joined.
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

Nodes nodes_of(const UnitView& unit, const Reading& reading) {
    Nodes nodes{unit, reading.directions, {}};
    for (NodeId node = 0; node < unit.nodes.size(); ++node)
        nodes.turns.push_back(turn_of(unit.pattern.type(node), reading));
    return nodes;
}

/// How far `to` is from what may follow `from`, in steps of the normal. On a contour the normal turns on by
/// one step, or it turns back and passes the same step again: nothing else is possible there.
int steps_astray(const Turn& from, const Turn& to, int directions) {
    if (directions == 0) return 0;
    const int onward = from.convex ? -1 : 1;
    const int expected = from.normal + (from.convex == to.convex ? onward : 0);
    const int off = std::abs(to.normal - expected) % (2 * directions);
    return std::min(off, (2 * directions) - off);
}

/// Two nodes that may follow each other, and how much speaks against it.
struct Join {
    double doubt = 0;
    NodeId from = 0;
    NodeId to = 0;
};

/// From squares of distances in px, about what one node misses the other's expectation by.
Join join_of(const Nodes& nodes, NodeId from, NodeId to) {
    // Coarsening may have taken nodes from between two, so a wrong step is unlikely, not impossible.
    constexpr double per_step = 6;
    constexpr double per_absence = 3;
    constexpr double rare = 0.02;
    const int astray = steps_astray(nodes.turns[from], nodes.turns[to], nodes.directions);
    const double absent =
        -std::log(std::max(nodes.presence(from), rare)) - std::log(std::max(nodes.presence(to), rare));
    return {square(nodes.next(from) - nodes.place(to)) + square(nodes.previous(to) - nodes.place(from)) +
                (per_step * astray * astray) + (per_absence * absent),
            from, to};
}

/// Those against which no more than so much speaks, the most certain first.
std::vector<Join> joins_of(const Nodes& nodes, double most) {
    std::vector<Join> joins;
    for (NodeId from = 0; from < nodes.size(); ++from) {
        for (NodeId to = 0; to < nodes.size(); ++to) {
            const Join join = join_of(nodes, from, to);
            if (from != to && join.doubt <= most) joins.push_back(join);
        }
    }
    std::ranges::sort(joins, {}, [](const Join& join) { return std::tuple(join.doubt, join.from, join.to); });
    return joins;
}

/// How long a curve's handle is, in chords, so that a curve that turns evenly is nearly an arc of a circle.
double handle(Point begin_tangent, Point end_tangent) {
    const double turned = std::acos(std::clamp(dot(begin_tangent, end_tangent), -1.0, 1.0));
    constexpr double straight = 0.01;
    return turned < straight ? 1.0 / 3 : (2.0 / 3) * std::tan(turned / 4) / std::sin(turned / 2);
}

void bend(OutlineStroke& stroke, Point begin_tangent, Point end_tangent) {
    const double chord = length(stroke.end - stroke.begin);
    const Point along = chord > 0 ? (stroke.end - stroke.begin) * (1 / chord) : Point{};
    const double reach = chord * handle(begin_tangent, end_tangent);
    // A tangent that looks away from the other end would tie a knot: it may bend the curve a little only.
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

constexpr double half_sure = 0.5;

/// To where the next node is expected, though none of the unit's nodes is there.
OutlineStroke stroke_into_the_open(const Nodes& nodes, NodeId from) {
    const Turn& turn = nodes.turns[from];
    OutlineStroke stroke;
    stroke.from = from;
    stroke.begin = nodes.place(from);
    stroke.end = nodes.next(from);
    stroke.begin_inward = stroke.end_inward = turn.inward;
    stroke.weight = nodes.presence(from) * half_sure;
    bend(stroke, turn.tangent, turn.tangent);
    return stroke;
}

/// The nodes on their way to an outline.
class Outline {
  public:
    explicit Outline(const Nodes& nodes)
        : nodes_(nodes), next_(nodes.size(), no_node), leads_(nodes.size(), false), follows_(leads_) {}

    /// Joins nodes so that each has one successor and one predecessor, then those that are left over to
    /// whatever they fit best.
    void join_all() {
        const std::vector<Join> joins = joins_of(nodes_, most_doubt);
        for (const Join& pair : joins) {
            if (leads_[pair.from] || follows_[pair.to]) continue;
            add(pair.from, pair.to);
            next_[pair.from] = pair.to;
        }
        for (const Join& pair : joins)
            if (!leads_[pair.from] || !follows_[pair.to]) add(pair.from, pair.to);
        for (NodeId node = 0; node < nodes_.size(); ++node)
            if (!leads_[node]) strokes_.push_back(stroke_into_the_open(nodes_, node));
    }

    /// Where unlikely nodes lie between two likely ones, usually none of them is there, and then the outline
    /// goes straight on from one to the other.
    void join_likely() {
        leads_.assign(nodes_.size(), false);
        follows_.assign(nodes_.size(), false);
        for (NodeId node = 0; node < nodes_.size(); ++node)
            if (is_likely(node)) go_straight_on(node);
        for (const Join& pair : joins_of(nodes_, most_doubt_of_likely)) {
            if (!is_likely(pair.from) || !is_likely(pair.to) || leads_[pair.from] || follows_[pair.to])
                continue;
            add(pair.from, pair.to);
            strokes_.back().weight *= half_sure;
        }
    }

    [[nodiscard]] std::vector<OutlineStroke> strokes() && { return std::move(strokes_); }

  private:
    static constexpr double likely = 0.5;
    static constexpr double most_doubt = 45;
    static constexpr double most_doubt_of_likely = 65;

    [[nodiscard]] bool is_likely(NodeId node) const { return nodes_.presence(node) >= likely; }

    void add(NodeId from, NodeId to) {
        strokes_.push_back(stroke_of(nodes_, from, to));
        leads_[from] = true;
        follows_[to] = true;
    }

    /// To the next likely node, if the way there is known.
    void go_straight_on(NodeId from) {
        double passed = 0;
        NodeId at = next_[from];
        // No two nodes have the same next one, so the way ends or comes back to `from`, which is likely.
        for (; at != no_node && !is_likely(at); at = next_[at])
            passed = passed > 0 ? std::min(passed, nodes_.presence(at)) : nodes_.presence(at);
        if (at == no_node || at == from || join_of(nodes_, from, at).doubt > most_doubt_of_likely) return;
        leads_[from] = true;
        follows_[at] = true;
        if (at == next_[from]) return;
        strokes_.push_back(stroke_of(nodes_, from, at));
        strokes_.back().weight -= passed;
    }

    const Nodes& nodes_;
    std::vector<NodeId> next_; ///< `no_node` where none is known
    std::vector<bool> leads_;
    std::vector<bool> follows_;
    std::vector<OutlineStroke> strokes_;
};

} // namespace

std::vector<OutlineStroke> outline_of(const UnitView& unit, const Reading& reading) {
    const Nodes nodes = nodes_of(unit, reading);
    Outline outline(nodes);
    outline.join_all();
    outline.join_likely();
    return std::move(outline).strokes();
}

} // namespace sprig::draw
