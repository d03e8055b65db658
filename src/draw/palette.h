#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sprig::draw {

/// Greys used by all figures.
inline constexpr std::string_view ink_colour = "#222";
inline constexpr std::string_view soft_colour = "#666";     ///< second lines of text
inline constexpr std::string_view shape_colour = "#e4e4e4"; ///< the shape behind its network
inline constexpr std::string_view contour_colour = "#8a8a8a";
inline constexpr std::string_view faded_colour = "#cfcfcf"; ///< edges and nodes that are not highlighted
inline constexpr std::string_view frame_colour = "#d0d0d0";

inline constexpr std::string_view band_colour = "#f0f0f0"; ///< every other cycle of a plot
inline constexpr std::string_view grid_colour = "#dadada";

/// Evidence for and against a class (from Tol's muted colours).
inline constexpr std::string_view positive_colour = "#117733";
inline constexpr std::string_view negative_colour = "#882255";
inline constexpr std::string_view negative_paper = "#fcf4f8";

/// Colours of directions, safe for colour-blind readers (Okabe and Ito). x is vermilion and y is blue in
/// every figure, regardless of the number of directions.
[[nodiscard]] std::string_view direction_colour(int direction, int directions);

/// Colours of categories without an order.
[[nodiscard]] std::string_view category_colour(std::uint32_t category);

/// Ten colours for the lines of a plot, safe for colour-blind readers (Petroff), used cyclically.
inline constexpr std::size_t series_colours = 10;
[[nodiscard]] std::string_view series_colour(std::size_t series);

/// From the finest level (dark) to the coarsest (light): viridis without its lightest end, which is not
/// visible on white. The order is kept in grey print and for colour-blind readers.
[[nodiscard]] std::string level_colour(std::uint32_t level, std::uint32_t level_count);

/// Coarse edges are wide and drawn under the fine ones.
[[nodiscard]] double level_width(std::uint32_t level, std::uint32_t level_count);

} // namespace sprig::draw
