#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include "sprig/front_end.h"
#include "sprig/network.h"
#include "support/reference_layers.h"
#include "support/shapes.h"

// Properties of the front end that hold for every image.

namespace sprig::test {

/// A node without its id: type and position.
using Mark = std::tuple<std::uint32_t, double, double>;
/// An edge without ids: layer, from, to.
using Relation = std::tuple<std::uint32_t, Mark, Mark>;

inline Mark mark(const Network& n, NodeId node) {
    return {n.type(node), n.coordinate(node, 0), n.coordinate(node, 1)};
}

inline std::multiset<Mark> marks(const Network& network) {
    std::multiset<Mark> result;
    for (NodeId n = 0; n < network.node_count(); ++n) result.insert(mark(network, n));
    return result;
}

template <class Wanted>
std::multiset<Relation> relations(const Network& network, Wanted wanted) {
    std::multiset<Relation> result;
    for (const Edge& e : network.edges()) {
        if (wanted(e)) result.insert({e.layer, mark(network, e.from), mark(network, e.to)});
    }
    return result;
}

inline bool is_finest_contour(const Edge& e) {
    return e.first_level == 0 && (e.layer == static_cast<std::uint32_t>(Layer::contour_h) ||
                                  e.layer == static_cast<std::uint32_t>(Layer::contour_v));
}

/// Whether no tie affected the network: all coordinates are distinct, and no two pairs were removed at the
/// same extent.
inline bool has_no_ties(const Network& network) {
    std::set<double> xs;
    std::set<double> ys;
    std::map<double, int> extents;
    for (NodeId n = 0; n < network.node_count(); ++n) {
        if (!xs.insert(network.coordinate(n, 0)).second || !ys.insert(network.coordinate(n, 1)).second)
            return false;
        if (++extents[network.attribute(n, 0)] > 2) return false;
    }
    return true;
}

/// A symmetry of the square: its effect on positions, types and the direction of edges.
struct Symmetry {
    Image (*image)(const Image&);
    Mark (*mark)(const Mark&, const Image& original, int directions);
    Relation (*relation)(const Relation&, const Image& original, int directions);
};

inline Mark mirror_mark(const Mark& m, const Image& original, int k) {
    ChangeKind kind = ChangeKind::from_index(std::get<0>(m));
    // x changes sign: the direction at angle t becomes the one at pi - t.
    if (kind.direction == 0) {
        kind.maximum = !kind.maximum;
    } else {
        kind.direction = k - kind.direction;
    }
    return {kind.index(), original.width - 1 - std::get<1>(m), std::get<2>(m)};
}

inline Relation mirror_relation(const Relation& r, const Image& original, int k) {
    const auto& [layer, from, to] = r;
    const Mark a = mirror_mark(from, original, k);
    const Mark b = mirror_mark(to, original, k);
    const bool horizontal = layer == 0 || layer == 2;
    return horizontal ? Relation{layer, b, a} : Relation{layer, a, b};
}

inline Mark turn_mark(const Mark& m, const Image& original, int k) {
    ChangeKind kind = ChangeKind::from_index(std::get<0>(m));
    kind.direction += k / 2; // a quarter turn; k is even
    if (kind.direction >= k) {
        kind.direction -= k;
        kind.maximum = !kind.maximum;
    }
    return {kind.index(), original.height - 1 - std::get<2>(m), std::get<1>(m)};
}

inline Relation turn_relation(const Relation& r, const Image& original, int k) {
    const auto& [layer, from, to] = r;
    const Mark a = turn_mark(from, original, k);
    const Mark b = turn_mark(to, original, k);
    // The order by x becomes an order by y; the order by y becomes a reversed order by x.
    const bool horizontal = layer == 0 || layer == 2;
    return horizontal ? Relation{layer + 1, a, b} : Relation{layer - 1, b, a};
}

inline constexpr Symmetry mirror = {mirrored, mirror_mark, mirror_relation};
inline constexpr Symmetry quarter_turn = {turned, turn_mark, turn_relation};

inline std::multiset<Relation> mapped(const std::multiset<Relation>& relations, const Symmetry& symmetry,
                                      const Image& image, int k) {
    std::multiset<Relation> result;
    for (const Relation& r : relations) result.insert(symmetry.relation(r, image, k));
    return result;
}

/// Returns whether the image had no ties: only then the whole networks are compared.
inline bool expect_symmetric(const Image& image, const Symmetry& symmetry, FrontEnd& front_end) {
    const int k = front_end.params().directions;
    const Network before = front_end(image.view());
    const Network after = front_end(symmetry.image(image).view());
    std::multiset<Mark> expected;
    for (const Mark& m : marks(before)) expected.insert(symmetry.mark(m, image, k));
    EXPECT_EQ(marks(after), expected);
    EXPECT_EQ(relations(after, is_finest_contour),
              mapped(relations(before, is_finest_contour), symmetry, image, k));
    if (!has_no_ties(before)) return false;
    const auto any = [](const Edge&) { return true; };
    EXPECT_EQ(relations(after, any), mapped(relations(before, any), symmetry, image, k));
    return true;
}

inline void expect_translation_equivariant(const Image& image, FrontEnd& front_end) {
    const int dx = 3;
    const int dy = 5;
    const Network before = front_end(placed(image, 0, 0, image.width + 4, image.height + 6).view());
    const Network after = front_end(placed(image, dx, dy, image.width + 4, image.height + 6).view());
    ASSERT_EQ(after.node_count(), before.node_count());
    for (NodeId n = 0; n < before.node_count(); ++n) {
        EXPECT_EQ(after.type(n), before.type(n));
        EXPECT_EQ(after.coordinate(n, 0), before.coordinate(n, 0) + dx);
        EXPECT_EQ(after.coordinate(n, 1), before.coordinate(n, 1) + dy);
        EXPECT_EQ(after.attribute(n, 0), before.attribute(n, 0));
        EXPECT_EQ(after.next(n), before.next(n));
    }
    EXPECT_TRUE(
        std::equal(before.edges().begin(), before.edges().end(), after.edges().begin(), after.edges().end()));
}

inline void expect_matches_reference(const Network& network) {
    const ReferenceLayers reference(network);
    ReferenceLayers::Edges edges;
    for (const Edge& e : network.edges()) edges[{e.layer, e.from, e.to}] = {e.first_level, e.last_level};
    EXPECT_EQ(edges, reference.edges());
    EXPECT_EQ(edges.size(), network.edge_count());
    for (NodeId n = 0; n < network.node_count(); ++n) {
        EXPECT_EQ(network.attribute(n, 0), reference.persistence(n));
    }
}

inline void expect_finest_is_subset(const Image& image, const Network& whole, FrontEndParams params) {
    params.finest_only = true;
    const Network finest = FrontEnd(params)(image.view());
    std::vector<Edge> expected;
    for (Edge e : whole.edges()) {
        if (e.first_level > 0) continue;
        e.last_level = 0;
        expected.push_back(e);
    }
    EXPECT_EQ(marks(finest), marks(whole));
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), finest.edges().begin(), finest.edges().end()));
}

} // namespace sprig::test
