#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"
#include "sprig/draw.h"

namespace sprig::draw {

/// The measures all figures share, in px.
inline constexpr double margin = 20;
inline constexpr double panel_gap = 16;
inline constexpr double title_size = 17;
inline constexpr double note_size = 12;
inline constexpr double caption_size = 13;
inline constexpr double count_size = 11.5;

/// U+2212: as wide as a plus.
inline constexpr std::string_view minus = "\xE2\x88\x92";

/// The side of a panel: as asked for, or the default. Throws Error(usage) if no figure can be made of it.
[[nodiscard]] double panel_side(const DrawOptions& options, double by_default);

/// Throws Error(usage) if the network has no such level. There is always a level 0, be it empty.
void check_level(const Network& network, std::string_view name, std::optional<std::uint32_t> level);

/// A title and lines under it, cut to the width; returns the y below them.
double draw_heading(Svg& svg, double width, std::string_view title, const std::vector<std::string>& lines);

/// "1 node" or "3 nodes".
[[nodiscard]] std::string counted(std::size_t count, std::string_view thing);

/// "mnist:train:17, label 8".
[[nodiscard]] std::string name_and_label(const ConstructionFigure& figure);

} // namespace sprig::draw
