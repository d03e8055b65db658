#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sprig::draw {

/// The greys of all figures.
inline constexpr std::string_view ink_colour = "#222";
inline constexpr std::string_view soft_colour = "#666";     ///< second lines of text
inline constexpr std::string_view shape_colour = "#e4e4e4"; ///< the shape behind its network
inline constexpr std::string_view contour_colour = "#8a8a8a";
inline constexpr std::string_view faded_colour = "#cfcfcf"; ///< edges and nodes that are not meant
inline constexpr std::string_view frame_colour = "#d0d0d0";

inline constexpr std::string_view band_colour = "#f0f0f0"; ///< every other cycle of a plot
inline constexpr std::string_view grid_colour = "#dadada";

/// What speaks for a class and what speaks against it (of Tol's muted colours).
inline constexpr std::string_view positive_colour = "#117733";
inline constexpr std::string_view negative_colour = "#882255";
inline constexpr std::string_view negative_paper = "#fcf4f8";

/// Colours for the directions of change, told apart by colour-blind readers too (Okabe and Ito): x is
/// vermilion and y is blue in every figure, however many directions lie between them.
[[nodiscard]] std::string_view direction_colour(int direction, int directions);

/// Colours for things that are only different.
[[nodiscard]] std::string_view category_colour(std::uint32_t category);

/// Ten colours for the lines of a plot, told apart by colour-blind readers (Petroff); then they come again.
inline constexpr std::size_t series_colours = 10;
[[nodiscard]] std::string_view series_colour(std::size_t series);

/// From the finest level (dark) to the coarsest (light): viridis without its palest end, which is lost on
/// white paper. It stays in order in grey print and for colour-blind readers.
[[nodiscard]] std::string level_colour(std::uint32_t level, std::uint32_t level_count);

/// Coarse edges are broad and lie under the fine ones, as main roads do on a map.
[[nodiscard]] double level_width(std::uint32_t level, std::uint32_t level_count);

} // namespace sprig::draw
