#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sprig/image.h"

namespace sprig::glyphs {

/// What a face is used for. Faces of one family are all on the same side.
enum class Part { learn, test };

/// A typeface that Debian has: where it is found, and what it is for.
struct FaceSource {
    const char* name;    ///< as its images are called
    const char* family;  ///< faces of one family are of one design
    const char* file;    ///< without its folder
    const char* package; ///< of Debian 12
    Part part;
    bool greek; ///< has the Greek letters and the signs of the large set
};

/// All faces that the experiments use, those to learn from first.
[[nodiscard]] std::span<const FaceSource> all_faces();

/// Where fonts are looked for: the folder that SPRIG_FONTS names, if it is set, and the system's.
[[nodiscard]] std::vector<std::filesystem::path> font_folders();

/// The path of a face's file, anywhere below the folders. Throws Error(failed) that names the package to
/// install if it is in none.
[[nodiscard]] std::filesystem::path find_face(const FaceSource& source,
                                              std::span<const std::filesystem::path> folders);

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
