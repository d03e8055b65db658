#include "vision/coarsen.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sprig {

namespace {

auto place_of(std::span<const ChangePoint> points, std::uint32_t p) {
    return std::tuple(points[p].x2, points[p].y2, points[p].type, p);
}

bool is_removed_before(std::span<const ChangePoint> points, const Removal& a, const Removal& b) {
    if (a.extent != b.extent) return a.extent < b.extent;
    if (points[a.first].contour != points[b.first].contour) {
        return points[a.first].contour < points[b.first].contour;
    }
    const auto ends = [&](const Removal& r) {
        const auto p = place_of(points, r.first);
        const auto q = place_of(points, r.second);
        return p < q ? std::pair(p, q) : std::pair(q, p);
    };
    // The last two points of a contour form two pairs, one from each.
    return ends(a) != ends(b) ? ends(a) < ends(b) : a.first < b.first;
}

} // namespace

void Coarsener::link_neighbours(std::span<const ChangePoint> points, std::size_t direction_count) {
    next_.assign(points.size(), none);
    previous_.assign(points.size(), none);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        next_[a] = b;
        previous_[b] = a;
    };
    for (std::uint32_t begin = 0; begin < points.size();) {
        first_of_direction_.assign(direction_count, none);
        last_of_direction_.assign(direction_count, none);
        std::uint32_t p = begin;
        for (; p < points.size() && points[p].contour == points[begin].contour; ++p) {
            const std::uint32_t a = points[p].direction();
            if (last_of_direction_[a] == none) {
                first_of_direction_[a] = p;
            } else {
                join(last_of_direction_[a], p);
            }
            last_of_direction_[a] = p;
        }
        for (std::size_t a = 0; a < direction_count; ++a) {
            if (last_of_direction_[a] != none) join(last_of_direction_[a], first_of_direction_[a]);
        }
        begin = p;
    }
}

void Coarsener::update_extent(std::span<const ChangePoint> points, std::uint32_t first) {
    const std::uint32_t second = next_[first];
    const std::int64_t apart = points[first].projection - points[second].projection;
    extents_[first] = apart < 0 ? -apart : apart;
    if (!use_heap_) return;
    heap_.push_back({first, second, extents_[first]});
    std::push_heap(heap_.begin(), heap_.end(),
                   [points](const Removal& a, const Removal& b) { return is_removed_before(points, b, a); });
}

Removal Coarsener::scan_for_least(std::span<const ChangePoint> points) const {
    Removal least{none, none, removed};
    for (std::uint32_t p = 0; p < extents_.size(); ++p) {
        if (extents_[p] > least.extent || extents_[p] == removed) continue;
        const Removal pair{p, next_[p], extents_[p]};
        if (extents_[p] < least.extent || is_removed_before(points, pair, least)) least = pair;
    }
    return least;
}

Removal Coarsener::pop_least(std::span<const ChangePoint> points) {
    Removal least;
    do {
        std::pop_heap(heap_.begin(), heap_.end(), [points](const Removal& a, const Removal& b) {
            return is_removed_before(points, b, a);
        });
        least = heap_.back();
        heap_.pop_back();
    } while (next_[least.first] != least.second); // no longer neighbours
    return least;
}

void Coarsener::run(std::span<ChangePoint> points, std::size_t direction_count,
                    std::vector<Removal>& removals) {
    removals.clear();
    heap_.clear();
    extents_.resize(points.size());
    constexpr std::size_t few = 64;
    use_heap_ = points.size() > few;
    link_neighbours(points, direction_count);
    for (std::uint32_t p = 0; p < points.size(); ++p) update_extent(points, p);

    // Maxima and minima alternate around a contour, so there is an even number of each direction's.
    for (std::size_t left = points.size(); left > 0; left -= 2) {
        const Removal pair = use_heap_ ? pop_least(points) : scan_for_least(points);
        removals.push_back(pair);
        points[pair.first].extent = points[pair.second].extent = pair.extent;
        extents_[pair.first] = extents_[pair.second] = removed;
        const std::uint32_t before = previous_[pair.first];
        const std::uint32_t after = next_[pair.second];
        next_[pair.first] = next_[pair.second] = none;
        if (after == pair.first) continue; // they were the last two of their direction
        next_[before] = after;
        previous_[after] = before;
        update_extent(points, before);
    }
}

} // namespace sprig
