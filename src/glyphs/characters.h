#pragma once

#include <string>
#include <string_view>

namespace sprig::glyphs {

/// The 62 letters and digits.
[[nodiscard]] std::u32string_view letters_and_digits();

/// Those, Greek letters, and signs that are told by their shape alone: no full stop, dash, quotation mark,
/// square or curly bracket. Greek letters stay out if the rule for look-alikes would join them to another
/// character (rho to p), or chain two others by them (gamma is a y in one face and a Y in another).
[[nodiscard]] std::u32string_view letters_and_signs();

/// A character, or several, as text.
[[nodiscard]] std::string utf8(char32_t character);
[[nodiscard]] std::string utf8(std::u32string_view characters);

} // namespace sprig::glyphs
