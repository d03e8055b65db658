#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "draw/marks.h"
#include "draw/panel.h"
#include "sprig/explain.h"

namespace sprig::draw {

/// "+12.3", "-0.4" with a true minus.
[[nodiscard]] std::string signed_number(double value);

/// "12.3", and likewise below 0.
[[nodiscard]] std::string score_words(double score, int decimals = 1);

/// The letter of what would have to be added: a, b, c and so on.
[[nodiscard]] std::string letter(std::size_t index);

/// What a node is, for somebody who does not know its type's name: "bulge left".
[[nodiscard]] std::string type_words(std::uint32_t type, const Schema& schema, const Reading& reading);
/// Where a place lies in a window: "top left".
[[nodiscard]] std::string place_words(const Window& window, double x, double y);

/// The explanation in a few sentences: the answer, what decides, what would have changed it.
[[nodiscard]] std::vector<std::string> sentences_of(const LocalExplanation& explanation);

/// The text in lines no longer than `width`.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double font_size, double width);

} // namespace sprig::draw
