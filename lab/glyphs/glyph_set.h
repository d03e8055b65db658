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

/// The same with Greek letters and with signs that can be recognised by shape alone: no full stop, dash,
/// quotation mark, square or curly bracket. Greek letters are left out if the rule for look-alikes would
/// merge them with another character (rho with p) or link two others through them (gamma is a y in one face
/// and a Y in another).
[[nodiscard]] std::u32string_view letters_and_signs();

/// Characters as UTF-8 text.
[[nodiscard]] std::string utf8(char32_t character);
[[nodiscard]] std::string utf8(std::u32string_view characters);

/// Printed characters to learn from, and the same characters in faces of other families to test on. Both have
/// the same classes. A class is named by its characters; look-alikes are one class, such as "Oo0".
struct GlyphSet {
    Dataset learn;
    Dataset test;
    /// The classes of more than one character.
    std::vector<std::string> merged;
};

/// Each character in each face, face by face. Look-alikes are found in all faces, for learning and for
/// testing. Throws Error(failed) if a face is not installed, Error(bad_input) if it does not have a
/// character.
[[nodiscard]] GlyphSet make_glyph_set(std::u32string_view characters, std::span<const FaceSource> faces);

/// The 62 letters and digits in all faces.
[[nodiscard]] GlyphSet letter_set();

/// More than a hundred classes, in the faces that have all of them.
[[nodiscard]] GlyphSet large_set();

} // namespace sprig::glyphs
