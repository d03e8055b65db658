#include "vision/layers.h"

#include <algorithm>

namespace sprig {

namespace {

/// Sorts few numbers by counting the smaller ones of each, without data-dependent branches.
void sort_distinct(const std::vector<std::uint64_t>& numbers, std::vector<std::uint64_t>& sorted) {
    constexpr std::size_t few = 32;
    if (numbers.size() > few) {
        sorted = numbers;
        std::sort(sorted.begin(), sorted.end());
        return;
    }
    sorted.resize(numbers.size());
    for (const std::uint64_t number : numbers) {
        std::size_t smaller = 0;
        for (const std::uint64_t other : numbers) smaller += other < number ? 1 : 0;
        sorted[smaller] = number;
    }
}

} // namespace

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

void LayerBuilder::link_sorted(Chain& chain, Coordinate first, Coordinate second) {
    const std::size_t nodes = points_.size();
    chain.reset(nodes);
    order_.resize(nodes);
    // (first coordinate, second coordinate, type, index) in one number, because sorting takes much of the
    // time.
    for (std::uint32_t p = 0; p < nodes; ++p) {
        order_[p] = (static_cast<std::uint64_t>((points_[p].*first)())
                     << (coordinate_bits + type_bits + index_bits)) |
                    (static_cast<std::uint64_t>((points_[p].*second)()) << (type_bits + index_bits)) |
                    (static_cast<std::uint64_t>(points_[p].type) << index_bits) | p;
    }
    sort_distinct(order_, sorted_);
    const auto node = [this](std::size_t i) {
        return static_cast<std::uint32_t>(sorted_[i] & ((std::uint64_t{1} << index_bits) - 1));
    };
    for (std::size_t i = 1; i < nodes; ++i) {
        chain.next[node(i - 1)] = node(i);
        chain.previous[node(i)] = node(i - 1);
    }
}

EdgeId LayerBuilder::add_edge_along(std::uint32_t a, std::uint32_t b, std::int32_t at_a, std::int32_t at_b,
                                    Layer layer, std::uint32_t level) {
    if (at_a == at_b) return none;
    if (at_a > at_b) std::swap(a, b);
    edges_.push_back({a, b, static_cast<std::uint32_t>(layer), level, level});
    return static_cast<EdgeId>(edges_.size() - 1);
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
    edges_.clear();
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
    return edges_;
}

} // namespace sprig
