#include "vision/layers.h"

#include <algorithm>
#include <tuple>

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

void LayerBuilder::link_contours(std::span<const ChangePoint> points) {
    contours_.reset(points.size());
    for (std::uint32_t begin = 0; begin < points.size();) {
        std::uint32_t end = begin;
        while (end < points.size() && points[end].contour == points[begin].contour) ++end;
        for (std::uint32_t p = begin; p < end; ++p) {
            const std::uint32_t following = p + 1 < end ? p + 1 : begin;
            contours_.next[p] = following;
            contours_.previous[following] = p;
        }
        begin = end;
    }
}

template <class Before>
void LayerBuilder::link_sorted(Chain& chain, std::size_t nodes, Before before) {
    chain.reset(nodes);
    order_.resize(nodes);
    for (std::uint32_t p = 0; p < nodes; ++p) order_[p] = p;
    std::sort(order_.begin(), order_.end(), before);
    for (std::size_t i = 1; i < nodes; ++i) {
        chain.next[order_[i - 1]] = order_[i];
        chain.previous[order_[i]] = order_[i - 1];
    }
}

EdgeId LayerBuilder::draw_along(std::uint32_t a, std::uint32_t b, std::size_t axis, Layer layer,
                                std::uint32_t level, Network& network) const {
    const double at_a = network.coordinate(a, axis);
    const double at_b = network.coordinate(b, axis);
    if (at_a == at_b) return none;
    const auto in = static_cast<std::uint32_t>(layer);
    return network.add_edge(at_a < at_b ? Edge{a, b, in, level, level} : Edge{b, a, in, level, level});
}

void LayerBuilder::draw(Chain& chain, std::uint32_t from, std::uint32_t level, Network& network) const {
    const std::uint32_t to = chain.next[from];
    if (to == none) return;
    // In a ring of two the way back is the same link as the way there.
    if (chain.next[to] == from && chain.edges[to] != std::array{none, none}) {
        chain.edges[from] = chain.edges[to];
        return;
    }
    if (chain.has_horizontal) chain.edges[from][0] = draw_along(from, to, 0, chain.horizontal, level, network);
    if (chain.has_vertical) chain.edges[from][1] = draw_along(from, to, 1, chain.vertical, level, network);
}

void LayerBuilder::remove(Chain& chain, const Removal& pair, std::uint32_t level, Network& network) const {
    const auto end_link = [&](std::uint32_t from) {
        if (from == none) return;
        for (EdgeId& e : chain.edges[from]) {
            if (e != none) network.set_last_level(e, level - 1);
            e = none;
        }
    };
    for (const std::uint32_t node : {pair.first, pair.second}) {
        end_link(chain.previous[node]);
        end_link(node);
    }
    const std::uint32_t before_first = chain.previous[pair.first];
    chain.unlink(pair.first);
    const std::uint32_t before_second = chain.previous[pair.second];
    chain.unlink(pair.second);
    // What is left before each of them now links across the gap; if they were neighbours there is one gap.
    const bool one_gap = before_first == pair.second || before_first == before_second;
    if (!one_gap && before_first != none) draw(chain, before_first, level, network);
    if (before_second != none && before_second != pair.second) draw(chain, before_second, level, network);
}

void LayerBuilder::build(std::span<const ChangePoint> points, std::span<const Removal> removals, Network& network) {
    const std::size_t nodes = points.size();
    link_contours(points);
    link_sorted(by_x_, nodes, [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(points[a].x2, points[a].y2, points[a].type, a) <
               std::tie(points[b].x2, points[b].y2, points[b].type, b);
    });
    link_sorted(by_y_, nodes, [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(points[a].y2, points[a].x2, points[a].type, a) <
               std::tie(points[b].y2, points[b].x2, points[b].type, b);
    });
    by_x_.horizontal = Layer::spatial_h;
    by_x_.has_vertical = false;
    by_y_.vertical = Layer::spatial_v;
    by_y_.has_horizontal = false;

    std::array<Chain*, 3> chains = {&contours_, &by_x_, &by_y_};
    for (Chain* chain : chains) {
        for (std::uint32_t p = 0; p < nodes; ++p) draw(*chain, p, 0, network);
    }
    for (std::uint32_t level = 1; level <= removals.size(); ++level) {
        for (Chain* chain : chains) remove(*chain, removals[level - 1], level, network);
    }
}

} // namespace sprig
