#pragma once

#include <string>
#include <string_view>

namespace sprig::glyphs {

/// The 62 letters and digits.
[[nodiscard]] std::u32string_view letters_and_digits();

/// Those, the Greek letters that are no Latin letter's look-alike in some face (as rho is p's), and signs
/// that are told by their shape alone: no full stop, dash, bracket or quotation mark.
[[nodiscard]] std::u32string_view letters_and_signs();

/// A character, or several, as text.
[[nodiscard]] std::string utf8(char32_t character);
[[nodiscard]] std::string utf8(std::u32string_view characters);

} // namespace sprig::glyphs
