#include "lab/glyphs/look_alikes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "sprig/error.h"

namespace sprig::glyphs {

namespace {

constexpr int side = 28;
constexpr int rim = 2; // for a shift by one and a dilation by one
constexpr int ink_threshold = 127;

/// All parts and holes, however small: the dot of an i is a part.
Topology topology_of(ImageView image) {
    FrontEndParams params;
    params.threshold = ink_threshold;
    params.min_contour = 1;
    return FrontEnd(params).topology(image);
}

using Rows = Shape::Rows;

/// All pixels within one pixel of the ink, also diagonally.
Rows dilated(const Rows& ink) {
    Rows wide = {};
    for (std::size_t y = 0; y < ink.size(); ++y) {
        const std::uint32_t row = ink[y] | (ink[y] << 1U) | (ink[y] >> 1U);
        wide[y] |= row;
        if (y > 0) wide[y - 1] |= row;
        if (y + 1 < ink.size()) wide[y + 1] |= row;
    }
    return wide;
}

std::uint32_t shifted(std::uint32_t row, int dx) {
    if (dx < 0) return row >> 1U;
    return dx > 0 ? row << 1U : row;
}

Rows shifted(const Rows& rows, int dx, int dy) {
    Rows moved = {};
    const int count = static_cast<int>(rows.size());
    for (int y = std::max(0, dy); y < count + std::min(0, dy); ++y) {
        moved[static_cast<std::size_t>(y)] = shifted(rows[static_cast<std::size_t>(y - dy)], dx);
    }
    return moved;
}

bool is_within(const Rows& ink, const Rows& area) {
    for (std::size_t y = 0; y < ink.size(); ++y) {
        if ((ink[y] & ~area[y]) != 0) return false;
    }
    return true;
}

double intersection_over_union(const Rows& a, const Rows& b) {
    int both = 0;
    int either = 0;
    for (std::size_t y = 0; y < a.size(); ++y) {
        both += std::popcount(a[y] & b[y]);
        either += std::popcount(a[y] | b[y]);
    }
    return either == 0 ? 0 : static_cast<double>(both) / either;
}

int root(std::vector<int>& parents, int member) {
    while (parents[static_cast<std::size_t>(member)] != member) {
        member = parents[static_cast<std::size_t>(member)];
    }
    return member;
}

bool coincide_somewhere(std::span<const std::vector<Shape>> faces, std::size_t a, std::size_t b) {
    for (const std::vector<Shape>& one : faces) {
        for (const std::vector<Shape>& other : faces) {
            if (one[a].overlap(other[b]) >= enough_overlap) return true;
        }
    }
    return false;
}

} // namespace

Shape::Shape(ImageView image) : topology_(topology_of(image)) {
    if (image.width > side || image.height > side) {
        throw usage_error("look-alikes are found among images of at most 28 x 28 px: normalise them first");
    }
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const bool ink = image.at(x, y) > ink_threshold;
            if (ink) ink_[static_cast<std::size_t>(y) + rim] |= 1U << static_cast<unsigned>(x + rim);
        }
    }
    near_ = dilated(ink_);
    reach_ = dilated(near_);
}

double Shape::overlap(const Shape& other) const {
    if (topology_ != other.topology_) return 0;
    // A shift by one and a distance of one add up to two: this check rejects most pairs without shifting.
    if (!is_within(ink_, other.reach_) || !is_within(other.ink_, reach_)) return 0;
    double best = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const Rows ink = shifted(other.ink_, dx, dy);
            if (!is_within(ink, near_) || !is_within(ink_, shifted(other.near_, dx, dy))) continue;
            best = std::max(best, intersection_over_union(ink_, ink));
        }
    }
    return best;
}

namespace {

/// Links two groups; the one with the first character remains.
void link(std::vector<int>& parents, std::size_t a, std::size_t b) {
    const int first = root(parents, static_cast<int>(a));
    const int second = root(parents, static_cast<int>(b));
    parents[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
}

/// The number of each character's group, in the order of the first characters.
std::vector<int> numbered(std::vector<int>& parents) {
    std::vector<int> groups(parents.size());
    int count = 0;
    for (std::size_t c = 0; c < parents.size(); ++c) {
        const int first = root(parents, static_cast<int>(c));
        groups[c] = first == static_cast<int>(c) ? count++ : groups[static_cast<std::size_t>(first)];
    }
    return groups;
}

std::vector<int> each_its_own(std::size_t count) {
    std::vector<int> parents(count);
    std::iota(parents.begin(), parents.end(), 0);
    return parents;
}

} // namespace

std::vector<int> group_look_alikes(std::span<const std::vector<Shape>> faces) {
    const std::size_t characters = faces.empty() ? 0 : faces.front().size();
    std::vector<int> parents = each_its_own(characters);
    for (std::size_t b = 0; b < characters; ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            const bool linked = root(parents, static_cast<int>(a)) == root(parents, static_cast<int>(b));
            if (!linked && coincide_somewhere(faces, a, b)) link(parents, a, b);
        }
    }
    return numbered(parents);
}

std::vector<int> group_pairs(std::size_t count, std::span<const Pair> pairs) {
    std::vector<int> parents = each_its_own(count);
    for (const auto& [first, second] : pairs) link(parents, first, second);
    return numbered(parents);
}

} // namespace sprig::glyphs
