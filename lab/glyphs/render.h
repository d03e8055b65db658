#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sprig/image.h"

namespace sprig::glyphs {

/// What a face is used for. Faces of one family are all used for the same part.
enum class Part { learn, test };

/// A typeface in Debian: its file and package, and what it is used for.
struct FaceSource {
    const char* name;    ///< part of the names of its images
    const char* family;  ///< faces of one family share a design
    const char* file;    ///< without a folder
    const char* package; ///< of Debian 12
    Part part;
    bool greek;    ///< has the Greek letters and the signs of the large set
    int index = 0; ///< of the face in a file that has several
};

/// All faces that the experiments use, those for learning first.
[[nodiscard]] std::span<const FaceSource> all_faces();

/// Where fonts are searched for: the folder in SPRIG_FONTS, if it is set, and the system's folders.
[[nodiscard]] std::vector<std::filesystem::path> font_folders();

/// The path of a face's file, which may be in any subfolder. Throws Error(failed) that names the package to
/// install if it is not found.
[[nodiscard]] std::filesystem::path find_face(const FaceSource& source,
                                              std::span<const std::filesystem::path> folders);

/// How an outline becomes an image.
struct Fit {
    int side = 84;                            ///< of the image, px
    double ink = 60;                          ///< the longer side of the ink, px
    double pen = 0;                           ///< strokes are wider by this number of px
    std::array<double, 4> map = {1, 0, 0, 1}; ///< xx, xy, yx, yy: applied to the outline first; y is upwards
};

/// An open typeface. Not thread-safe.
class Face {
  public:
    /// Throws Error(failed) if the file is not found, Error(bad_input) if it is not a font.
    explicit Face(const FaceSource& source);
    ~Face();
    Face(Face&&) noexcept;
    Face& operator=(Face&&) noexcept;
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;

    [[nodiscard]] const FaceSource& source() const;
    [[nodiscard]] bool has(char32_t character) const;

    /// The size of the em in px, large compared with the 20 px of a normalised glyph, so that edges are
    /// precise.
    static constexpr unsigned usual_em = 128;

    /// The character rendered large in grey levels, with an empty margin; 255 is ink.
    /// Throws Error(bad_input) if the face does not have it.
    [[nodiscard]] Picture print(char32_t character, unsigned em = usual_em) const;

    /// The character as a square image, drawn from its outline at that size. The longer side of the ink is
    /// `fit.ink` px, and the middle of its box is that of the image. Throws as `print` does.
    [[nodiscard]] Image draw(char32_t character, const Fit& fit) const;
    /// Whether the face has the character and an outline for it.
    [[nodiscard]] bool draws(char32_t character) const;

  private:
    struct Opened;
    std::unique_ptr<Opened> opened_;
};

/// The character in the format of MNIST: 28 x 28 px, the longer side of the ink 20 px, centred by mass. Made
/// by `normalise`, so that thin strokes do not vanish.
[[nodiscard]] Image render_glyph(const Face& face, char32_t character);

} // namespace sprig::glyphs
