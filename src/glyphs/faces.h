#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

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

} // namespace sprig::glyphs
