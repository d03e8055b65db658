#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "lab/glyphs/look_alikes.h"
#include "sprig/error.h"

namespace sprig::glyphs {

namespace {

constexpr int most_px = 128;
constexpr int ink_threshold = 127;
constexpr int grid = 8;

/// A row of pixels as a bit set.
struct Bits {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    void set(int x) { (x < 64 ? low : high) |= std::uint64_t{1} << static_cast<unsigned>(x % 64); }
    [[nodiscard]] int count() const { return std::popcount(low) + std::popcount(high); }
    [[nodiscard]] bool any() const { return (low | high) != 0; }
    /// The pixels with a neighbour in the row, or in it themselves.
    [[nodiscard]] Bits widened() const {
        return {low | (low << 1U) | (low >> 1U) | (high << 63U),
                high | (high << 1U) | (high >> 1U) | (low >> 63U)};
    }
    Bits operator&(const Bits& other) const { return {low & other.low, high & other.high}; }
    Bits operator|(const Bits& other) const { return {low | other.low, high | other.high}; }
    [[nodiscard]] Bits without(const Bits& other) const { return {low & ~other.low, high & ~other.high}; }
};

using Rows = std::vector<Bits>;

/// The number of ink pixels in each cell of a grid. A cell has at most 16 x 16 px; a full one counts as 255,
/// which makes a difference of at most one for each cell.
using Cells = std::array<std::uint8_t, std::size_t{grid} * grid>;

struct Detailed {
    std::size_t place = 0;
    int ink = 0;
    Cells cells = {};
    Rows rows;
};

Detailed detailed(const Image& image, std::size_t place) {
    if (image.width > most_px || image.height > most_px)
        throw usage_error("coinciding images are found among images of at most 128 x 128 px");
    Detailed shape;
    shape.place = place;
    shape.rows.resize(static_cast<std::size_t>(image.height));
    std::array<int, std::size_t{grid}* grid> counts = {};
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) <= ink_threshold) continue;
            shape.rows[static_cast<std::size_t>(y)].set(x);
            const auto row = static_cast<std::size_t>(y * grid / image.height);
            const auto column = static_cast<std::size_t>(x * grid / image.width);
            ++counts[(row * grid) + column];
            ++shape.ink;
        }
    }
    std::ranges::transform(counts, shape.cells.begin(),
                           [](int count) { return static_cast<std::uint8_t>(std::min(count, 255)); });
    return shape;
}

int difference(const Cells& a, const Cells& b) {
    int sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(int{a[i]} - int{b[i]});
    return sum;
}

bool is_near(const Rows& ink, const Rows& other) {
    for (std::size_t y = 0; y < ink.size(); ++y) {
        Bits near = other[y];
        if (y > 0) near = near | other[y - 1];
        if (y + 1 < other.size()) near = near | other[y + 1];
        if (ink[y].without(near.widened()).any()) return false;
    }
    return true;
}

double intersection_over_union(const Rows& a, const Rows& b) {
    int both = 0;
    int either = 0;
    for (std::size_t y = 0; y < a.size(); ++y) {
        both += (a[y] & b[y]).count();
        either += (a[y] | b[y]).count();
    }
    return either == 0 ? 0 : static_cast<double>(both) / either;
}

bool coincide(const Detailed& a, const Detailed& b) {
    return a.rows.size() == b.rows.size() && is_near(a.rows, b.rows) && is_near(b.rows, a.rows) &&
           intersection_over_union(a.rows, b.rows) >= enough_overlap_in_detail;
}

/// Whether the cells allow an overlap that is large enough. With I the intersection and U the union, |A| +
/// |B| = I + U, and the cells differ by at most U - I.
bool may_coincide(const Detailed& a, const Detailed& b) {
    constexpr double most = (1 - enough_overlap_in_detail) / (1 + enough_overlap_in_detail);
    return difference(a.cells, b.cells) <= most * (a.ink + b.ink);
}

} // namespace

std::vector<Pair> coinciding_pairs(std::span<const Image> images) {
    std::vector<Detailed> shapes;
    shapes.reserve(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) shapes.push_back(detailed(images[i], i));
    std::ranges::stable_sort(shapes, {}, &Detailed::ink);
    FrontEndParams every_part;
    every_part.threshold = ink_threshold;
    every_part.min_contour = 1;
    FrontEnd front_end(every_part);
    std::vector<Pair> pairs;
    for (std::size_t b = 0; b < shapes.size(); ++b) {
        for (std::size_t a = b; a-- > 0;) {
            // The intersection is at most the lesser ink, the union at least the greater.
            if (shapes[a].ink < enough_overlap_in_detail * shapes[b].ink) break;
            if (!may_coincide(shapes[a], shapes[b]) || !coincide(shapes[a], shapes[b])) continue;
            const auto [first, second] = std::minmax(shapes[a].place, shapes[b].place);
            if (front_end.topology(images[first].view()) == front_end.topology(images[second].view()))
                pairs.push_back({first, second});
        }
    }
    std::ranges::sort(pairs, {}, [](const Pair& pair) { return std::pair(pair.first, pair.second); });
    return pairs;
}

} // namespace sprig::glyphs
