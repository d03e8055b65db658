#pragma once

#include <memory>
#include <string>

#include "glyphs/faces.h"
#include "sprig/image.h"

namespace sprig::glyphs {

/// A typeface that has been opened. Not for two threads at once.
class Face {
  public:
    /// Throws Error(failed) if the file is not there, Error(bad_input) if it is not a font.
    explicit Face(const FaceSource& source);
    ~Face();
    Face(Face&&) noexcept;
    Face& operator=(Face&&) noexcept;
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;

    [[nodiscard]] const FaceSource& source() const;
    [[nodiscard]] bool has(char32_t character) const;

    /// The character as it is printed, large and grey: 255 is ink, with an empty rim.
    /// Throws Error(bad_input) if the face does not have it.
    [[nodiscard]] Picture print(char32_t character) const;

  private:
    struct Opened;
    std::unique_ptr<Opened> opened_;
};

/// The character as MNIST would show it: 28 x 28, the longer side of the ink 20 px, centred by mass. It goes
/// the way of a person's picture (`normalise`), so that thin strokes do not vanish.
[[nodiscard]] Image render_glyph(const Face& face, char32_t character);

} // namespace sprig::glyphs
