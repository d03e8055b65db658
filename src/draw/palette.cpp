#include "draw/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace sprig::draw {
namespace {

constexpr std::string_view vermilion = "#d55e00";
constexpr std::string_view blue = "#0072b2";
constexpr std::array<std::string_view, 4> between = {"#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

constexpr std::array<std::string_view, series_colours> petroff = {"#3f90da", "#ffa90e", "#bd1f01", "#94a4a2",
                                                                  "#832db6", "#a96b59", "#e76300", "#b9ac70",
                                                                  "#717581", "#92dadd"};

using Rgb = std::array<double, 3>;
constexpr std::array<Rgb, 8> viridis = {{{68, 1, 84},
                                         {70, 50, 127},
                                         {54, 92, 141},
                                         {39, 127, 142},
                                         {31, 161, 135},
                                         {74, 193, 109},
                                         {125, 208, 80},
                                         {170, 215, 45}}};

/// The position of a level between the finest (0) and the coarsest (1).
double share(std::uint32_t level, std::uint32_t level_count) {
    if (level_count < 2) return 0;
    return std::min(1.0, static_cast<double>(level) / static_cast<double>(level_count - 1));
}

} // namespace

std::string_view direction_colour(int direction, int directions) {
    if (direction == 0) return vermilion;
    if (2 * direction == directions) return blue;
    const int rank = 2 * direction < directions ? direction - 1 : direction - 2 + (directions % 2);
    return between[static_cast<std::size_t>(rank) % between.size()];
}

std::string_view category_colour(std::uint32_t category) {
    if (category % 6 == 0) return vermilion;
    return category % 6 == 1 ? blue : between[(category % 6) - 2];
}

std::string_view series_colour(std::size_t series) {
    return petroff[series % petroff.size()];
}

std::string level_colour(std::uint32_t level, std::uint32_t level_count) {
    const double at = share(level, level_count) * static_cast<double>(viridis.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), viridis.size() - 2);
    const double part = at - static_cast<double>(below);
    const auto mix = [&](std::size_t channel) {
        const double from = viridis[below][channel];
        return static_cast<int>(std::lround(from + (part * (viridis[below + 1][channel] - from))));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

double level_width(std::uint32_t level, std::uint32_t level_count) {
    return 0.9 + (2.3 * share(level, level_count));
}

} // namespace sprig::draw
