#include "vision/coarsen.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sprig {

namespace {

auto place_of(std::span<const ChangePoint> points, std::uint32_t p) {
    return std::tuple(points[p].x2, points[p].y2, points[p].type, p);
}

bool goes_before(std::span<const ChangePoint> points, const Removal& a, const Removal& b) {
    if (a.extent != b.extent) return a.extent < b.extent;
    if (points[a.first].contour != points[b.first].contour) {
        return points[a.first].contour < points[b.first].contour;
    }
    const auto ends = [&](const Removal& r) {
        const auto p = place_of(points, r.first);
        const auto q = place_of(points, r.second);
        return p < q ? std::pair(p, q) : std::pair(q, p);
    };
    return ends(a) < ends(b);
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

void Coarsener::offer(std::span<const ChangePoint> points, std::uint32_t first) {
    const std::uint32_t second = next_[first];
    const std::int64_t apart = points[first].projection - points[second].projection;
    offers_.push_back({first, second, apart < 0 ? -apart : apart});
}

void Coarsener::run(std::span<ChangePoint> points, std::size_t direction_count,
                    std::vector<Removal>& removals) {
    removals.clear();
    offers_.clear();
    link_neighbours(points, direction_count);
    for (std::uint32_t p = 0; p < points.size(); ++p) offer(points, p);
    const auto later = [&](const Removal& a, const Removal& b) { return goes_before(points, b, a); };
    std::make_heap(offers_.begin(), offers_.end(), later);
    while (!offers_.empty()) {
        std::pop_heap(offers_.begin(), offers_.end(), later);
        const Removal pair = offers_.back();
        offers_.pop_back();
        if (next_[pair.first] != pair.second) continue; // stale

        removals.push_back(pair);
        points[pair.first].extent = points[pair.second].extent = pair.extent;
        const std::uint32_t before = previous_[pair.first];
        const std::uint32_t after = next_[pair.second];
        next_[pair.first] = next_[pair.second] = none;
        if (after == pair.first) continue; // they were the last two of their direction
        next_[before] = after;
        previous_[after] = before;
        offer(points, before);
        std::push_heap(offers_.begin(), offers_.end(), later);
    }
}

} // namespace sprig
