#include "vision/ink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "vision/components.h"
#include "vision/distance.h"

namespace sprig {

namespace {

/// `width` pixels of a row from (x, y) on.
template <class AnyImage>
auto pixels_from(AnyImage& image, int x, int y, int width) {
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
    return std::span(image.pixels.data() + row + x, static_cast<std::size_t>(width));
}

/// How a part lies in the picture.
struct Placement {
    std::int64_t x = 0; ///< sums of the coordinates
    std::int64_t y = 0;
    std::int64_t left = 0; ///< numbers of pixels at each side of the picture
    std::int64_t right = 0;
    std::int64_t top = 0;
    std::int64_t bottom = 0;

    void add(const Components::Run& run, const Image& picture) {
        const std::int64_t length = run.end - run.begin;
        x += length * (run.begin + run.end - 1) / 2;
        y += length * run.y;
        left += run.begin == 0 ? 1 : 0;
        right += run.end == picture.width ? 1 : 0;
        top += run.y == 0 ? length : 0;
        bottom += run.y == picture.height - 1 ? length : 0;
    }
    [[nodiscard]] bool touches_edge() const { return left + right + top + bottom > 0; }
    /// Whether at least a quarter of the picture's edge belongs to the part.
    [[nodiscard]] bool runs_along_edge(const Image& picture) const {
        return 2 * (left + right + top + bottom) >= std::int64_t{picture.width} + picture.height;
    }
    /// Whether the centre of mass is in the middle of the picture, not in its outer 30 %, in both directions.
    [[nodiscard]] bool is_in_the_middle(std::int64_t area, const Image& picture) const {
        const auto is_middle = [area](std::int64_t sum, std::int64_t length) {
            return 10 * sum >= 3 * area * (length - 1) && 10 * sum <= 7 * area * (length - 1);
        };
        return is_middle(x, picture.width) && is_middle(y, picture.height);
    }
};

std::vector<Placement> placements_of(const Components& components, const Image& picture) {
    std::vector<Placement> placements(components.parts.size());
    for (std::size_t r = 0; r < components.runs.size(); ++r)
        placements[components.part_of[r]].add(components.runs[r], picture);
    return placements;
}

int longer_side(const Components::Part& part) {
    return std::max(part.right - part.left, part.bottom - part.top);
}

/// Whether a part inside the picture is large enough to be what the picture shows.
bool has_ink_inside(const std::vector<Components::Part>& parts, const std::vector<Placement>& placements,
                    const Image& picture) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const bool is_large = 100 * longer_side(parts[p]) >= 8 * std::min(picture.width, picture.height);
        if (is_large && !placements[p].touches_edge()) return true;
    }
    return false;
}

/// By component: whether it comes in from the edge. A drawing that was cut out closely touches the edge, too,
/// but does not come in from there.
std::vector<bool> parts_that_come_in(const std::vector<Components::Part>& parts,
                                     const std::vector<Placement>& placements, const Image& picture) {
    std::vector<bool> come_in(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        come_in[p] =
            placements[p].touches_edge() && (placements[p].runs_along_edge(picture) ||
                                             !placements[p].is_in_the_middle(parts[p].area, picture));
    }
    return come_in;
}

/// By component: whether it is kept.
std::vector<bool> parts_to_keep(const std::vector<Components::Part>& parts, const std::vector<bool>& come_in,
                                bool ink_inside) {
    std::vector<bool> keep(parts.size());
    std::int64_t largest = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        keep[p] = !(ink_inside && come_in[p]);
        if (keep[p]) largest = std::max(largest, parts[p].area);
    }
    for (std::size_t p = 0; p < parts.size(); ++p) keep[p] = keep[p] && 100 * parts[p].area >= largest;
    return keep;
}

/// 255 in the chosen components.
Image mask_of(const Components& components, const std::vector<bool>& chosen, const Image& picture) {
    Image mask(picture.width, picture.height);
    for (std::size_t r = 0; r < components.runs.size(); ++r) {
        if (!chosen[components.part_of[r]]) continue;
        const Components::Run& run = components.runs[r];
        std::ranges::fill(pixels_from(mask, run.begin, run.y, run.end - run.begin), 255);
    }
    return mask;
}

/// By grey level: its value when background becomes 0 and ink 255.
std::array<std::uint8_t, 256> stretched_levels(int background, int ink) {
    std::array<std::uint8_t, 256> levels{};
    for (int v = 0; v < 256; ++v) {
        const int stretched = 255 * (v - background) / (ink - background);
        levels[static_cast<std::size_t>(v)] = static_cast<std::uint8_t>(std::clamp(stretched, 0, 255));
    }
    return levels;
}

/// 255 in each column in which the row y or one beside it has ink. Column x is at x + 1: there is an empty
/// column on both sides.
void mark_columns(const Image& mask, int y, std::vector<std::uint8_t>& columns) {
    columns.assign(static_cast<std::size_t>(mask.width) + 2, 0);
    for (int beside = std::max(0, y - 1); beside <= std::min(y + 1, mask.height - 1); ++beside) {
        const auto row = pixels_from(mask, 0, beside, mask.width);
        for (std::size_t x = 0; x < row.size(); ++x) columns[x + 1] |= row[x];
    }
}

/// Distances from the ink to its edge. Everything outside `ink` is background, of which the map has one pixel
/// on each side.
DistanceMap distances_inside(const Image& mask, const Rectangle& ink) {
    DistanceMap distance(ink.width + 2, ink.height + 2);
    std::ranges::fill(distance.row(0), 0);
    std::ranges::fill(distance.row(ink.height + 1), 0);
    for (int y = 0; y < ink.height; ++y) {
        const auto row = distance.row(y + 1);
        row.front() = 0;
        row.back() = 0;
        std::ranges::transform(pixels_from(mask, ink.left, ink.top + y, ink.width), row.begin() + 1,
                               [](std::uint8_t v) { return v != 0 ? DistanceMap::far : 0; });
    }
    distance.measure();
    return distance;
}

/// The stroke width: four times the mean distance from the ink to its edge.
double stroke_width(const Image& mask, const Rectangle& ink) {
    DistanceMap distance = distances_inside(mask, ink);
    std::int64_t sum = 0;
    std::int64_t pixels = 0;
    for (int y = 0; y < distance.height(); ++y) {
        for (const std::int32_t d : distance.row(y)) {
            sum += DistanceMap::rounded(d);
            pixels += d != 0 ? 1 : 0;
        }
    }
    // Times the reciprocal, because a division can differ in the last bit and normalise a picture differently
    // than before.
    const double mean = static_cast<double>(sum) / DistanceMap::one_pixel * (1 / static_cast<double>(pixels));
    return 4 * (mean - 0.25); // a pixel's centre is half a pixel inside
}

/// The ink widened by `radius` px on all sides. A distance takes two passes, however large the radius is.
Image widened(const Image& mask, const Rectangle& ink, int radius) {
    const int margin = radius + 1;
    DistanceMap distance(ink.width + (2 * margin), ink.height + (2 * margin));
    for (int y = 0; y < ink.height; ++y) {
        std::ranges::transform(pixels_from(mask, ink.left, ink.top + y, ink.width),
                               distance.row(margin + y).begin() + margin,
                               [](std::uint8_t v) { return v != 0 ? 0 : DistanceMap::far; });
    }
    distance.measure();
    const std::int64_t reach = std::int64_t{radius} * DistanceMap::one_pixel;
    const auto is_reached = [reach](std::int32_t d) -> std::uint8_t {
        return DistanceMap::rounded(d) <= reach ? 255 : 0;
    };
    Image result(distance.width(), distance.height());
    for (int y = 0; y < result.height; ++y) {
        std::ranges::transform(distance.row(y), pixels_from(result, 0, y, result.width).begin(), is_reached);
    }
    return result;
}

} // namespace

Rectangle bounds_of(const Image& image) {
    std::vector<std::uint8_t> columns(static_cast<std::size_t>(image.width));
    int top = image.height;
    int bottom = 0;
    for (int y = 0; y < image.height; ++y) {
        std::uint8_t any = 0;
        const auto row = pixels_from(image, 0, y, image.width);
        for (std::size_t x = 0; x < row.size(); ++x) {
            any |= row[x];
            columns[x] |= row[x];
        }
        if (any == 0) continue;
        top = std::min(top, y);
        bottom = y + 1;
    }
    if (bottom == 0) return {};
    const auto is_used = [](std::uint8_t column) { return column != 0; };
    const auto left = std::ranges::find_if(columns, is_used) - columns.begin();
    const auto right = columns.rend() - std::find_if(columns.rbegin(), columns.rend(), is_used);
    return {static_cast<int>(left), top, static_cast<int>(right - left), bottom - top};
}

Ink find_ink(const Image& light, int threshold) {
    const Components components = find_components(light.view(), threshold);
    const std::vector<Components::Part>& parts = components.parts;
    const std::vector<Placement> placements = placements_of(components, light);
    const std::vector<bool> come_in = parts_that_come_in(parts, placements, light);
    const bool ink_inside = has_ink_inside(parts, placements, light);
    const std::vector<bool> keep = parts_to_keep(parts, come_in, ink_inside);
    Ink ink{mask_of(components, keep, light), 0, true, ink_inside, {}};
    std::int64_t largest = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (!keep[p]) continue;
        if (!placements[p].touches_edge()) ink.at_edge_only = false;
        if (parts[p].area > largest) ink.longest = longer_side(parts[p]);
        largest = std::max(largest, parts[p].area);
    }
    if (std::ranges::find(come_in, true) != come_in.end()) ink.outside = mask_of(components, come_in, light);
    return ink;
}

Image soft_ink(const Image& light, const Image& mask, int background, int ink) {
    const std::array<std::uint8_t, 256> stretched = stretched_levels(background, ink);
    Image soft(light.width, light.height);
    std::vector<std::uint8_t> columns;
    for (int y = 0; y < soft.height; ++y) {
        mark_columns(mask, y, columns);
        const auto from = pixels_from(light, 0, y, light.width);
        const auto row = pixels_from(soft, 0, y, soft.width);
        for (std::size_t x = 0; x < row.size(); ++x) {
            const int rim = columns[x] | columns[x + 1] | columns[x + 2]; // 0 or 255
            row[x] = static_cast<std::uint8_t>(stretched[from[x]] & rim);
        }
    }
    return soft;
}

int thicken(Image& soft, const Image& mask, int box) {
    const Rectangle ink = bounds_of(mask);
    if (ink == Rectangle{}) return 0;
    const double shrink = static_cast<double>(box) / std::max(ink.width, ink.height);
    const double width = stroke_width(mask, ink);
    constexpr double thinnest = 1.5; // px of the result
    constexpr double typical = 2.2;
    if (width * shrink >= thinnest) return 0;
    const int radius = static_cast<int>(std::lround(((typical / shrink) - width) / 2));
    if (radius < 1) return 0;
    soft = widened(mask, ink, radius);
    return 2 * radius;
}

} // namespace sprig
