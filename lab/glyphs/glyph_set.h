#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/glyphs/render.h"
#include "sprig/data.h"

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

/// Printed characters to learn from, and the same characters in faces of other families to be tested on. Both
/// have the same classes: a class is called by its characters, so look-alikes are one class, such as "Oo0".
struct GlyphSet {
    Dataset learn;
    Dataset test;
    /// The classes that are of more than one character.
    std::vector<std::string> merged;
};

/// Each character in each face, one face after the other. Look-alikes are found in all of the faces, those to
/// learn from and those to test on. Throws Error(failed) if a face is not on this machine, Error(bad_input)
/// if it does not have a character.
[[nodiscard]] GlyphSet make_glyph_set(std::u32string_view characters, std::span<const FaceSource> faces);

/// The 62 letters and digits in all faces.
[[nodiscard]] GlyphSet letter_set();

/// More than a hundred classes, in the faces that have them all.
[[nodiscard]] GlyphSet large_set();

} // namespace sprig::glyphs
