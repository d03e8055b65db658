#include "lab/glyphs/render.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <ft2build.h>
#include FT_BBOX_H
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "lab/glyphs/glyph_set.h"
#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig::glyphs {

namespace {

// Upright text faces that stay connected at 20 px: serif, slab, sans, monospaced and informal faces in both
// parts. Excluded were faces with hairlines, which break (Old Standard, Caslon, Cardo, Dancing Script), and
// faces with a letter that looks like another one elsewhere, so that two plain letters would be merged (the j
// of Delphine is an i, the U of Play is a u).
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

/// The first path in alphabetical order, so that the result is always the same if there are several.
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
    throw failed(fmt::format("the face {} ({}) is not installed: install the Debian package {}, or set "
                             "SPRIG_FONTS to the folder that has the file",
                             source.name, source.file, source.package));
}

namespace {

/// An empty margin, so that no ink is taken for the edge of a scan.
constexpr int rim = 4;

struct CloseLibrary {
    void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
struct CloseFace {
    void operator()(FT_Face face) const { FT_Done_Face(face); }
};
using Library = std::unique_ptr<FT_LibraryRec_, CloseLibrary>;
using FontFile = std::unique_ptr<FT_FaceRec_, CloseFace>;

Library start_freetype() {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0)
        throw failed("FreeType, which renders the letters, could not be initialised");
    return Library(library);
}

FontFile open(FT_Library library, const std::filesystem::path& path, int index) {
    FT_Face face = nullptr;
    if (FT_New_Face(library, path.c_str(), index, &face) != 0) {
        throw bad_input(fmt::format("{} is not a font that FreeType can read", path.string()));
    }
    FontFile file(face);
    if (FT_Select_Charmap(face, FT_ENCODING_UNICODE) != 0 ||
        FT_Set_Pixel_Sizes(face, 0, Face::usual_em) != 0) {
        throw bad_input(fmt::format("{} is not a font with outlines for Unicode", path.string()));
    }
    return file;
}

Picture with_rim(const FT_Bitmap& bitmap) {
    Picture picture;
    picture.width = static_cast<int>(bitmap.width) + (2 * rim);
    picture.height = static_cast<int>(bitmap.rows) + (2 * rim);
    picture.pixels.assign(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height),
                          0);
    for (int y = 0; y < static_cast<int>(bitmap.rows); ++y) {
        const std::uint8_t* row = bitmap.buffer + (static_cast<std::ptrdiff_t>(y) * bitmap.pitch);
        std::copy_n(row, bitmap.width,
                    picture.pixels.begin() + (static_cast<std::ptrdiff_t>(y + rim) * picture.width) + rim);
    }
    return picture;
}

} // namespace

struct Face::Opened {
    FaceSource source;
    Library library = start_freetype();
    FontFile file;
};

Face::Face(const FaceSource& source) : opened_(std::make_unique<Opened>()) {
    opened_->source = source;
    opened_->file = open(opened_->library.get(), find_face(source, font_folders()), source.index);
}

Face::~Face() = default;
Face::Face(Face&&) noexcept = default;
Face& Face::operator=(Face&&) noexcept = default;

const FaceSource& Face::source() const {
    return opened_->source;
}

bool Face::has(char32_t character) const {
    return FT_Get_Char_Index(opened_->file.get(), character) != 0;
}

Picture Face::print(char32_t character, unsigned em) const {
    if (!has(character)) {
        throw bad_input(fmt::format("{} has no {}: use another character or another face",
                                    opened_->source.name, utf8(character)));
    }
    // Without hinting, which would align strokes to the pixels of the large bitmap, not to those of the
    // result.
    const FT_Face face = opened_->file.get();
    const bool drawn = FT_Set_Pixel_Sizes(face, 0, em) == 0 &&
                       FT_Load_Char(face, character, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0 &&
                       FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) == 0;
    if (!drawn) {
        throw bad_input(
            fmt::format("FreeType cannot render {} of {}", utf8(character), opened_->source.name));
    }
    if (face->glyph->bitmap.rows == 0) {
        throw bad_input(fmt::format("{} has no ink for {}: use another character or another face",
                                    opened_->source.name, utf8(character)));
    }
    return with_rim(face->glyph->bitmap);
}

namespace {

/// Loads the outline of a character, large and without hinting. Returns false if there is none.
bool load_outline(FT_Face face, char32_t character) {
    constexpr unsigned em = 256;
    return FT_Get_Char_Index(face, character) != 0 && FT_Set_Pixel_Sizes(face, 0, em) == 0 &&
           FT_Load_Char(face, character, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0 &&
           face->glyph->format == FT_GLYPH_FORMAT_OUTLINE && face->glyph->outline.n_contours > 0;
}

FT_BBox box_of(FT_Outline& outline) {
    FT_BBox box = {};
    FT_Outline_Get_BBox(&outline, &box);
    return box;
}

FT_Fixed fixed(double number) {
    constexpr double one = 65536;
    return std::lround(number * one);
}

constexpr double subpixels = 64; // FreeType's unit of length is 1/64 px

/// Maps, scales and moves an outline so that it fills its box in the image.
void fit_outline(FT_Outline& outline, const Fit& fit) {
    const FT_Matrix shape = {fixed(fit.map[0]), fixed(fit.map[1]), fixed(fit.map[2]), fixed(fit.map[3])};
    FT_Outline_Transform(&outline, &shape);
    const FT_BBox before = box_of(outline);
    const auto longer = static_cast<double>(std::max(before.xMax - before.xMin, before.yMax - before.yMin));
    const double pen = fit.pen * subpixels;
    const FT_Fixed scale = fixed(((fit.ink * subpixels) - pen) / longer);
    const FT_Matrix size = {scale, 0, 0, scale};
    FT_Outline_Transform(&outline, &size);
    if (pen != 0) FT_Outline_Embolden(&outline, std::lround(pen));
    const FT_BBox after = box_of(outline);
    const FT_Pos middle = std::lround(fit.side * subpixels / 2);
    FT_Outline_Translate(&outline, middle - ((after.xMin + after.xMax) / 2),
                         middle - ((after.yMin + after.yMax) / 2));
}

} // namespace

bool Face::draws(char32_t character) const {
    const FT_Face face = opened_->file.get();
    if (!load_outline(face, character)) return false;
    const FT_BBox box = box_of(face->glyph->outline);
    return box.xMax > box.xMin && box.yMax > box.yMin;
}

Image Face::draw(char32_t character, const Fit& fit) const {
    if (!draws(character)) {
        throw bad_input(fmt::format("{} has no outline for {}: use another character or another face",
                                    opened_->source.name, utf8(character)));
    }
    FT_Outline& outline = opened_->file->glyph->outline;
    fit_outline(outline, fit);
    Image image(fit.side, fit.side);
    FT_Bitmap bitmap = {};
    bitmap.width = bitmap.rows = static_cast<unsigned>(fit.side);
    bitmap.pitch = fit.side;
    bitmap.buffer = image.pixels.data();
    bitmap.num_grays = 256;
    bitmap.pixel_mode = FT_PIXEL_MODE_GRAY;
    if (FT_Outline_Get_Bitmap(opened_->library.get(), &outline, &bitmap) != 0) {
        throw bad_input(fmt::format("FreeType cannot draw {} of {}", utf8(character), opened_->source.name));
    }
    return image;
}

Image render_glyph(const Face& face, char32_t character) {
    NormaliseParams params;
    params.polarity = NormaliseParams::Polarity::light_on_dark;
    params.even_light = false; // there is no light in a rendered picture
    return normalise(face.print(character), params).image;
}

} // namespace sprig::glyphs
