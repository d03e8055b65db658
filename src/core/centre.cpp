#include "core/centre.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sprig {

namespace {

/// The offset in a row of `side` px that puts the centre of mass of these pixels in the middle and all of
/// them inside.
int centred_offset(const std::vector<std::int64_t>& masses, int side) {
    std::int64_t mass = 0;
    std::int64_t moment = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) {
        mass += masses[i];
        moment += masses[i] * static_cast<std::int64_t>(i);
    }
    const int length = static_cast<int>(masses.size());
    if (mass == 0) return (side - length) / 2;
    const double centre = static_cast<double>(moment) / static_cast<double>(mass);
    const int middle = side / 2;
    return std::clamp(static_cast<int>(std::lround(middle - centre)), 0, side - length);
}

} // namespace

CentredCorner centred_corner(const Image& image, int side) {
    std::vector<std::int64_t> columns(static_cast<std::size_t>(image.width));
    std::vector<std::int64_t> rows(static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            columns[static_cast<std::size_t>(x)] += image.at(x, y);
            rows[static_cast<std::size_t>(y)] += image.at(x, y);
        }
    }
    return {centred_offset(columns, side), centred_offset(rows, side)};
}

Image centre_by_mass(const Image& image, int side) {
    const auto [left, top] = centred_corner(image, side);
    Image result(side, side);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) result.at(left + x, top + y) = image.at(x, y);
    }
    return result;
}

} // namespace sprig
