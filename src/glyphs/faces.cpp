#include "glyphs/faces.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::glyphs {

namespace {

// Upright text faces that are whole at 20 px: seriffed, slab, sans, monospaced and informal ones on either
// side. Of many that were looked at, these stayed out: faces with hairlines, which break (Old Standard,
// Caslon, Cardo, Dancing Script), and faces that have a letter which is another one elsewhere, so that two
// plain letters would be merged (Delphine's j is an i, Play's U is a u).
constexpr std::array faces = {
    FaceSource{"DejaVu Sans", "DejaVu", "DejaVuSans.ttf", "fonts-dejavu-core", Part::learn, true},
    FaceSource{"DejaVu Serif", "DejaVu", "DejaVuSerif.ttf", "fonts-dejavu-core", Part::learn, true},
    FaceSource{"GFS Neohellenic", "GFS Neohellenic", "GFSNeohellenic.otf", "fonts-gfs-neohellenic",
               Part::learn, true},
    FaceSource{"Gentium", "Gentium", "Gentium-R.ttf", "fonts-sil-gentium", Part::learn, true},
    FaceSource{"Caladea", "Caladea", "Caladea-Regular.ttf", "fonts-crosextra-caladea", Part::learn, false},
    FaceSource{"Roboto Slab", "Roboto", "RobotoSlab-Regular.otf", "fonts-roboto-slab", Part::learn, true},
    FaceSource{"Cantarell", "Cantarell", "Cantarell-Regular.otf", "fonts-cantarell", Part::learn, true},
    FaceSource{"Comfortaa", "Comfortaa", "Comfortaa-Regular.ttf", "fonts-comfortaa", Part::learn, true},
    FaceSource{"Tuffy", "Tuffy", "Tuffy.ttf", "fonts-tuffy", Part::learn, true},
    FaceSource{"mononoki", "mononoki", "mononoki-Regular.ttf", "fonts-mononoki", Part::learn, true},
    FaceSource{"Comic Neue", "Comic Neue", "ComicNeue-Regular.otf", "fonts-comic-neue", Part::learn, false},
    FaceSource{"Liberation Sans", "Liberation", "LiberationSans-Regular.ttf", "fonts-liberation", Part::test,
               true},
    FaceSource{"Liberation Serif", "Liberation", "LiberationSerif-Regular.ttf", "fonts-liberation",
               Part::test, true},
    FaceSource{"Liberation Mono", "Liberation", "LiberationMono-Regular.ttf", "fonts-liberation", Part::test,
               true},
    FaceSource{"Go", "Go", "Go-Regular.ttf", "fonts-go", Part::test, true},
    FaceSource{"Go Mono", "Go", "Go-Mono.ttf", "fonts-go", Part::test, true},
    FaceSource{"Linux Libertine", "Libertine", "LinLibertine_R.otf", "fonts-linuxlibertine", Part::test,
               true},
    FaceSource{"Linux Biolinum", "Libertine", "LinBiolinum_R.otf", "fonts-linuxlibertine", Part::test, true},
    FaceSource{"Averia Serif", "Averia", "AveriaSerifGWF-Regular.ttf", "fonts-averia-serif-gwf", Part::test,
               false},
    FaceSource{"OpenDyslexic", "OpenDyslexic", "OpenDyslexic-Regular.otf", "fonts-opendyslexic", Part::test,
               false},
    FaceSource{"Domestic Manners", "Domestic Manners", "Domestic_Manners.ttf", "fonts-dustin", Part::test,
               false},
};

/// The first of that name in alphabetical order, so that a file that is there twice is always the same one.
std::optional<std::filesystem::path> find_below(const std::filesystem::path& folder, const char* file) {
    using std::filesystem::directory_options;
    using std::filesystem::recursive_directory_iterator;
    constexpr auto options =
        directory_options::follow_directory_symlink | directory_options::skip_permission_denied;
    std::optional<std::filesystem::path> found;
    std::error_code error;
    for (recursive_directory_iterator at(folder, options, error), end; !error && at != end;
         at.increment(error)) {
        if (at->path().filename() == file && (!found || at->path() < *found)) found = at->path();
    }
    return found;
}

} // namespace

std::span<const FaceSource> all_faces() {
    return faces;
}

std::vector<std::filesystem::path> font_folders() {
    std::vector<std::filesystem::path> folders = {"/usr/share/fonts", "/usr/local/share/fonts"};
    if (const char* own = std::getenv("SPRIG_FONTS"); own != nullptr && *own != '\0') {
        folders.insert(folders.begin(), own);
    }
    return folders;
}

std::filesystem::path find_face(const FaceSource& source, std::span<const std::filesystem::path> folders) {
    for (const std::filesystem::path& folder : folders) {
        if (auto found = find_below(folder, source.file)) return *found;
    }
    throw failed(
        fmt::format("the face {} ({}) is not on this machine: install Debian's package {}, or name the "
                    "folder that has the file in SPRIG_FONTS",
                    source.name, source.file, source.package));
}

} // namespace sprig::glyphs
