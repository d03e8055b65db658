#include "vision/coarsen.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sprig {

namespace {

constexpr std::size_t small_ring = 64; // members

/// Orders points by (x, y, type) and then by their order on the contour: see LayerBuilder for the fields.
std::uint64_t key_of(std::span<const ChangePoint> points, std::uint32_t p) {
    return (static_cast<std::uint64_t>(points[p].x2()) << 49U) |
           (static_cast<std::uint64_t>(points[p].y2()) << 34U) |
           (static_cast<std::uint64_t>(points[p].type) << 27U) | p;
}

/// The keys of both ends of a pair, the smaller first.
using PairKey = std::pair<std::uint64_t, std::uint64_t>;
PairKey pair_key(std::span<const ChangePoint> points, std::uint32_t first, std::uint32_t second) {
    const std::uint64_t a = key_of(points, first);
    const std::uint64_t b = key_of(points, second);
    return a < b ? PairKey{a, b} : PairKey{b, a};
}

bool is_removed_before(std::span<const ChangePoint> points, const Removal& a, const Removal& b) {
    if (a.extent != b.extent) return a.extent < b.extent;
    if (points[a.first].contour != points[b.first].contour) {
        return points[a.first].contour < points[b.first].contour;
    }
    const PairKey ends_a = pair_key(points, a.first, a.second);
    const PairKey ends_b = pair_key(points, b.first, b.second);
    // The last two points of a ring form two pairs, one from each.
    return ends_a != ends_b ? ends_a < ends_b : a.first < b.first;
}

std::int64_t distance_between(std::int64_t a, std::int64_t b) {
    return a < b ? b - a : a - b;
}

} // namespace

/// Looks at all pairs of neighbours in every step.
void Coarsener::coarsen_small(std::span<ChangePoint> points, Ring ring) {
    const std::uint32_t* const members = ring.members.data();
    std::int64_t* const extents = ring.projections.data(); // from each member to the next
    const std::size_t count = ring.members.size();
    if (count == 2) {
        const auto [first, second] = std::minmax(members[0], members[1]);
        return remove(points, {first, second, distance_between(extents[0], extents[1])});
    }
    std::array<std::uint8_t, small_ring> next; // member that is left, by member
    const std::int64_t first_projection = extents[0];
    for (std::size_t i = 0; i + 1 < count; ++i) {
        extents[i] = distance_between(extents[i], extents[i + 1]);
        next[i] = static_cast<std::uint8_t>(i + 1);
    }
    extents[count - 1] = distance_between(extents[count - 1], first_projection);
    next[count - 1] = 0;

    const auto key = [&](std::size_t i) { return pair_key(points, members[i], members[next[i]]); };
    std::size_t before = count - 1; // a member that is left
    for (std::size_t left = count; left > 2; left -= 2) {
        std::size_t before_least = before;
        std::size_t least = next[before];
        std::int64_t extent = extents[least];
        for (std::size_t seen = 1; seen < left; ++seen) {
            before = next[before];
            const std::size_t i = next[before];
            if (extents[i] > extent || (extents[i] == extent && key(least) < key(i))) continue;
            before_least = before;
            least = i;
            extent = extents[i];
        }
        const std::size_t second = next[least];
        remove(points, {members[least], members[second], extent});
        // Maxima and minima alternate, and the extent between is the least of the three.
        extents[before_least] += extents[second] - extent;
        next[before_least] = next[second];
        before = before_least;
    }
    const auto [first, second] = std::minmax(members[before], members[next[before]]);
    remove(points, {first, second, extents[before]});
}

/// Keeps the pairs of neighbours in a heap.
void Coarsener::coarsen_large(std::span<ChangePoint> points, Ring ring) {
    const std::span members = ring.members;
    const auto is_later = [points](const Removal& a, const Removal& b) {
        return is_removed_before(points, b, a);
    };
    constexpr std::uint32_t none = ~std::uint32_t{0};
    next_.resize(points.size());
    previous_.resize(points.size());
    projection_.resize(points.size());
    heap_.clear();
    const auto add_pair = [this](std::uint32_t first, std::uint32_t second) {
        next_[first] = second;
        previous_[second] = first;
        heap_.push_back({first, second, distance_between(projection_[first], projection_[second])});
    };
    for (std::size_t i = 0; i < members.size(); ++i) projection_[members[i]] = ring.projections[i];
    for (std::size_t i = 0; i < members.size(); ++i)
        add_pair(members[i], members[i + 1 < members.size() ? i + 1 : 0]);
    std::make_heap(heap_.begin(), heap_.end(), is_later);
    // Maxima and minima alternate, so their number is even.
    for (std::size_t left = members.size(); left > 0; left -= 2) {
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
        add_pair(before, after);
        std::push_heap(heap_.begin(), heap_.end(), is_later);
    }
}

void Coarsener::coarsen(ChangePoints& change) {
    by_ring_.clear();
    heads_.clear();
    std::size_t begin = 0;
    for (const std::uint32_t end : change.ring_ends) {
        const std::size_t count = end - begin;
        const Ring ring = {std::span(change.ring_members).subspan(begin, count),
                           std::span(change.projections).subspan(begin, count)};
        const std::size_t first = by_ring_.size();
        count <= small_ring ? coarsen_small(change.points, ring) : coarsen_large(change.points, ring);
        if (keeps_removals_) heads_.push_back({first, by_ring_.size()});
        begin = end;
    }
}

void Coarsener::set_extents(ChangePoints& change) {
    keeps_removals_ = false;
    coarsen(change);
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
    keeps_removals_ = true;
    coarsen(change);
    merge(change.points);
    return merged_;
}

} // namespace sprig
