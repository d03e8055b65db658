#include "vision/coarsen.h"

#include <algorithm>
#include <utility>

namespace sprig {

namespace {

/// Orders points by (x, y, type) and then by their order on the contour: see LayerBuilder for the fields.
std::uint64_t key_of(std::span<const ChangePoint> points, std::uint32_t p) {
    return (static_cast<std::uint64_t>(points[p].x2) << 49U) |
           (static_cast<std::uint64_t>(points[p].y2) << 34U) |
           (static_cast<std::uint64_t>(points[p].type) << 27U) | p;
}

/// The keys of both ends of a pair, the smaller first.
using PairKey = std::pair<std::uint64_t, std::uint64_t>;
PairKey pair_key(std::uint64_t a, std::uint64_t b) {
    return a < b ? PairKey{a, b} : PairKey{b, a};
}
PairKey pair_key(std::span<const ChangePoint> points, const Removal& pair) {
    return pair_key(key_of(points, pair.first), key_of(points, pair.second));
}

bool is_removed_before(std::span<const ChangePoint> points, const Removal& a, const Removal& b) {
    if (a.extent != b.extent) return a.extent < b.extent;
    if (points[a.first].contour != points[b.first].contour) {
        return points[a.first].contour < points[b.first].contour;
    }
    const PairKey ends_a = pair_key(points, a);
    const PairKey ends_b = pair_key(points, b);
    // The last two points of a ring form two pairs, one from each.
    return ends_a != ends_b ? ends_a < ends_b : a.first < b.first;
}

std::int64_t extent_between(std::span<const ChangePoint> points, std::uint32_t a, std::uint32_t b) {
    const std::int64_t apart = points[a].projection - points[b].projection;
    return apart < 0 ? -apart : apart;
}

Removal pair_of(std::span<const ChangePoint> points, std::uint32_t first, std::uint32_t second) {
    return {first, second, extent_between(points, first, second)};
}

} // namespace

void Coarsener::remove(std::span<ChangePoint> points, const Removal& pair) {
    points[pair.first].extent = points[pair.second].extent = pair.extent;
    by_ring_.push_back(pair);
}

/// Looks at all pairs of neighbours in every step.
void Coarsener::coarsen_small(std::span<ChangePoint> points, std::span<const std::uint32_t> ring) {
    if (ring.size() == 2) {
        const auto [first, second] = std::minmax(ring[0], ring[1]);
        remove(points, pair_of(points, first, second));
        return;
    }
    members_.assign(ring.begin(), ring.end());
    std::size_t left = ring.size();
    const auto after = [&left](std::size_t i) { return i + 1 < left ? i + 1 : 0; };
    extents_.resize(left);
    keys_.resize(left);
    for (std::size_t i = 0; i < left; ++i) {
        extents_[i] = extent_between(points, members_[i], members_[after(i)]);
        keys_[i] = key_of(points, members_[i]);
    }
    const auto comes_first = [&](std::size_t i, std::size_t j) {
        return pair_key(keys_[i], keys_[after(i)]) < pair_key(keys_[j], keys_[after(j)]);
    };
    while (left > 2) {
        std::size_t least = 0;
        for (std::size_t i = 1; i < left; ++i) {
            if (extents_[i] > extents_[least]) continue;
            if (extents_[i] < extents_[least] || comes_first(i, least)) least = i;
        }
        remove(points, {members_[least], members_[after(least)], extents_[least]});
        const std::size_t before = least > 0 ? least - 1 : left - 1;
        extents_[before] = extent_between(points, members_[before], members_[after(after(least))]);
        // Close the gap. A pair of the last and the first member leaves one at each end.
        const bool wraps = least + 1 == left;
        const std::size_t from = wraps ? 1 : least + 2;
        const std::size_t to = wraps ? 0 : least;
        const std::size_t count = left - 2 - to;
        for (std::size_t i = 0; i < count; ++i) {
            members_[to + i] = members_[from + i];
            extents_[to + i] = extents_[from + i];
            keys_[to + i] = keys_[from + i];
        }
        left -= 2;
    }
    const auto [first, second] = std::minmax(members_[0], members_[1]);
    remove(points, {first, second, extents_[0]});
}

/// Keeps the pairs of neighbours in a heap.
void Coarsener::coarsen_large(std::span<ChangePoint> points, std::span<const std::uint32_t> ring) {
    const auto is_later = [points](const Removal& a, const Removal& b) {
        return is_removed_before(points, b, a);
    };
    constexpr std::uint32_t none = ~std::uint32_t{0};
    next_.resize(points.size());
    previous_.resize(points.size());
    heap_.clear();
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const std::uint32_t following = ring[i + 1 < ring.size() ? i + 1 : 0];
        next_[ring[i]] = following;
        previous_[following] = ring[i];
        heap_.push_back(pair_of(points, ring[i], following));
    }
    std::make_heap(heap_.begin(), heap_.end(), is_later);
    // Maxima and minima alternate, so their number is even.
    for (std::size_t left = ring.size(); left > 0; left -= 2) {
        Removal pair;
        do {
            std::pop_heap(heap_.begin(), heap_.end(), is_later);
            pair = heap_.back();
            heap_.pop_back();
        } while (next_[pair.first] != pair.second);
        remove(points, pair);
        const std::uint32_t before = previous_[pair.first];
        const std::uint32_t after = next_[pair.second];
        next_[pair.first] = next_[pair.second] = none;
        if (left == 2) return;
        next_[before] = after;
        previous_[after] = before;
        heap_.push_back(pair_of(points, before, after));
        std::push_heap(heap_.begin(), heap_.end(), is_later);
    }
}

void Coarsener::set_extents(ChangePoints& change) {
    by_ring_.clear();
    heads_.clear();
    std::size_t begin = 0;
    for (const std::uint32_t end : change.ring_ends) {
        constexpr std::size_t few = 64;
        const std::span ring = std::span(change.ring_members).subspan(begin, end - begin);
        const std::size_t first = by_ring_.size();
        ring.size() <= few ? coarsen_small(change.points, ring) : coarsen_large(change.points, ring);
        heads_.push_back({first, by_ring_.size()});
        begin = end;
    }
}

/// Takes the removal that comes first among the next ones of all rings, until all are taken. The sequence of
/// a ring may have ties that are not in order, so sorting would not do.
void Coarsener::merge(std::span<const ChangePoint> points) {
    const auto is_later = [&](const Head& a, const Head& b) {
        return is_removed_before(points, by_ring_[b.at], by_ring_[a.at]);
    };
    std::make_heap(heads_.begin(), heads_.end(), is_later);
    merged_.clear();
    while (!heads_.empty()) {
        std::pop_heap(heads_.begin(), heads_.end(), is_later);
        Head& head = heads_.back();
        merged_.push_back(by_ring_[head.at++]);
        if (head.at == head.end) {
            heads_.pop_back();
        } else {
            std::push_heap(heads_.begin(), heads_.end(), is_later);
        }
    }
}

std::vector<Removal>& Coarsener::run(ChangePoints& change) {
    set_extents(change);
    merge(change.points);
    return merged_;
}

} // namespace sprig
