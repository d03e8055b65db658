#include "vision/layers.h"

#include <algorithm>

namespace sprig {

void LayerBuilder::Chain::reset(std::size_t nodes) {
    next.assign(nodes, none);
    previous.assign(nodes, none);
    edges.assign(nodes, {none, none});
}

void LayerBuilder::Chain::unlink(std::uint32_t node) {
    const std::uint32_t before = previous[node];
    const std::uint32_t after = next[node];
    if (before != none) next[before] = after;
    if (after != none) previous[after] = before;
}

void LayerBuilder::link_contours() {
    contours_.reset(points_.size());
    for (std::uint32_t begin = 0; begin < points_.size();) {
        std::uint32_t end = begin;
        while (end < points_.size() && points_[end].contour == points_[begin].contour) ++end;
        for (std::uint32_t p = begin; p < end; ++p) {
            const std::uint32_t following = p + 1 < end ? p + 1 : begin;
            contours_.next[p] = following;
            contours_.previous[following] = p;
        }
        begin = end;
    }
}

/// Sorts the points by (first coordinate, second coordinate, type, index), each in one number.
void LayerBuilder::sort_many(Coordinate first, Coordinate second) {
    order_.resize(points_.size());
    for (std::uint32_t p = 0; p < points_.size(); ++p) {
        const ChangePoint& point = points_[p];
        order_[p] =
            (static_cast<std::uint64_t>((point.*first)()) << (coordinate_bits + type_bits + index_bits)) |
            (static_cast<std::uint64_t>((point.*second)()) << (type_bits + index_bits)) |
            (static_cast<std::uint64_t>(point.type) << index_bits) | p;
    }
    std::sort(order_.begin(), order_.end());
    constexpr std::uint64_t index = (std::uint64_t{1} << index_bits) - 1;
    for (std::size_t i = 0; i < order_.size(); ++i)
        sorted_[i] = static_cast<std::uint32_t>(order_[i] & index);
}

/// The same, if the numbers fit into 31 bits; otherwise returns false.
bool LayerBuilder::sort_few(Coordinate first, Coordinate second) {
    constexpr int few_bits = 5;
    constexpr int small_bits = 9;
    static_assert((2 * small_bits) + type_bits + few_bits < 32);
    if (points_.size() > (1U << few_bits)) return false;
    const std::span<std::int32_t> keys = few_.numbers(points_.size());
    std::int32_t all = 0;
    for (std::uint32_t p = 0; p < points_.size(); ++p) {
        const ChangePoint& point = points_[p];
        all |= point.x2() | point.y2();
        keys[p] = static_cast<std::int32_t>(
            (static_cast<std::uint32_t>((point.*first)()) << (small_bits + type_bits + few_bits)) |
            (static_cast<std::uint32_t>((point.*second)()) << (type_bits + few_bits)) |
            (point.type << few_bits) | p);
    }
    if (all >> small_bits != 0) return false;
    const std::span<const std::uint32_t> ranks = few_.ranks();
    for (std::uint32_t p = 0; p < ranks.size(); ++p) sorted_[ranks[p]] = p;
    return true;
}

void LayerBuilder::link_sorted(Chain& chain, Coordinate first, Coordinate second) {
    const std::size_t nodes = points_.size();
    chain.reset(nodes);
    sorted_.resize(nodes);
    if (!sort_few(first, second)) sort_many(first, second);
    for (std::size_t i = 1; i < nodes; ++i) {
        chain.next[sorted_[i - 1]] = sorted_[i];
        chain.previous[sorted_[i]] = sorted_[i - 1];
    }
}

EdgeId LayerBuilder::add_edge_along(std::uint32_t a, std::uint32_t b, std::int32_t at_a, std::int32_t at_b,
                                    Layer layer, std::uint32_t level) {
    if (at_a == at_b) return none;
    if (at_a > at_b) std::swap(a, b);
    edges_[edge_count_] = {a, b, static_cast<std::uint32_t>(layer), level, level};
    return edge_count_++;
}

void LayerBuilder::add_contour_edges(std::uint32_t from, std::uint32_t level) {
    const std::uint32_t to = contours_.next[from];
    // In a circle of two nodes both links are the same.
    if (contours_.next[to] == from && contours_.edges[to] != std::array{none, none}) {
        contours_.edges[from] = contours_.edges[to];
        return;
    }
    const ChangePoint& a = points_[from];
    const ChangePoint& b = points_[to];
    contours_.edges[from] = {add_edge_along(from, to, a.x2(), b.x2(), Layer::contour_h, level),
                             add_edge_along(from, to, a.y2(), b.y2(), Layer::contour_v, level)};
}

template <Layer layer>
void LayerBuilder::add_spatial_edge(Chain& chain, std::uint32_t from, std::uint32_t level) {
    const std::uint32_t to = chain.next[from];
    if (to == none) return;
    constexpr auto along = layer == Layer::spatial_h ? &ChangePoint::x2 : &ChangePoint::y2;
    chain.edges[from][0] =
        add_edge_along(from, to, (points_[from].*along)(), (points_[to].*along)(), layer, level);
}

void LayerBuilder::end_link(Chain& chain, std::uint32_t from, std::uint32_t level) {
    if (from == none) return;
    for (EdgeId& e : chain.edges[from]) {
        if (e != none) edges_[e].last_level = level - 1;
        e = none;
    }
}

template <class AddEdges>
void LayerBuilder::remove(Chain& chain, const Removal& pair, std::uint32_t level, AddEdges add_edges) {
    for (const std::uint32_t node : {pair.first, pair.second}) {
        end_link(chain, chain.previous[node], level);
        end_link(chain, node, level);
    }
    const std::uint32_t before_first = chain.previous[pair.first];
    chain.unlink(pair.first);
    const std::uint32_t before_second = chain.previous[pair.second];
    chain.unlink(pair.second);
    // The node before each of them now links across the gap; if they were neighbours there is one gap.
    const bool one_gap = before_first == pair.second || before_first == before_second;
    if (!one_gap && before_first != none) add_edges(before_first, level);
    if (before_second != none && before_second != pair.second) add_edges(before_second, level);
}

std::span<const Edge> LayerBuilder::build(std::span<const ChangePoint> points,
                                          std::span<const Removal> removals) {
    points_ = points;
    // A point has at most four edges at first. A removal takes two points and closes at most two gaps in each
    // chain, with at most eight edges in all.
    edges_.resize(std::max(edges_.size(), 8 * points.size()));
    edge_count_ = 0;
    link_contours();
    link_sorted(by_x_, &ChangePoint::x2, &ChangePoint::y2);
    link_sorted(by_y_, &ChangePoint::y2, &ChangePoint::x2);

    const auto contour = [this](std::uint32_t from, std::uint32_t level) { add_contour_edges(from, level); };
    const auto spatial_h = [this](std::uint32_t from, std::uint32_t level) {
        add_spatial_edge<Layer::spatial_h>(by_x_, from, level);
    };
    const auto spatial_v = [this](std::uint32_t from, std::uint32_t level) {
        add_spatial_edge<Layer::spatial_v>(by_y_, from, level);
    };
    const auto nodes = static_cast<std::uint32_t>(points.size());
    for (std::uint32_t p = 0; p < nodes; ++p) contour(p, 0);
    for (std::uint32_t p = 0; p < nodes; ++p) spatial_h(p, 0);
    for (std::uint32_t p = 0; p < nodes; ++p) spatial_v(p, 0);
    for (std::uint32_t level = 1; level <= removals.size(); ++level) {
        remove(contours_, removals[level - 1], level, contour);
        remove(by_x_, removals[level - 1], level, spatial_h);
        remove(by_y_, removals[level - 1], level, spatial_v);
    }
    return std::span(edges_).first(edge_count_);
}

} // namespace sprig
