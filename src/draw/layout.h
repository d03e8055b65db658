#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"
#include "explain/sentences.h"
#include "sprig/draw.h"

namespace sprig::draw {

/// Sizes used by all figures, in px.
inline constexpr double margin = 20;
inline constexpr double panel_gap = 16;
inline constexpr double title_size = 17;
inline constexpr double note_size = 12;
inline constexpr double caption_size = 13;
inline constexpr double count_size = 11.5;

using explain::addition_letter;
using explain::format_count;
using explain::format_score;
using explain::minus_sign;

/// The requested side of a panel, or the default. Throws Error(usage) if it is out of range.
[[nodiscard]] double panel_side(const DrawOptions& options, double by_default);

/// Throws Error(usage) if the network does not have the level. Level 0 always exists, even if it is empty.
void check_level(const Network& network, std::string_view name, std::optional<std::uint32_t> level);

/// A title and lines under it, cut to the width. Returns the y below them.
double draw_heading(Svg& svg, double width, std::string_view title, const std::vector<std::string>& lines);

/// Breaks the text into lines no longer than `width`.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view text, double font_size, double width);

/// "mnist:train:17, label 8".
[[nodiscard]] std::string name_and_label(const ConstructionFigure& figure);

} // namespace sprig::draw
