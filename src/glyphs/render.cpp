#include "glyphs/render.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "glyphs/characters.h"
#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig::glyphs {

namespace {

/// The size of the em, large beside the 20 px that are left of it, so that the scaling sees true edges.
constexpr unsigned em = 128;
/// An empty rim, so that nothing is taken for the edge of a scan.
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
    if (FT_Init_FreeType(&library) != 0) throw failed("FreeType, which draws letters, could not be started");
    return Library(library);
}

FontFile open(FT_Library library, const std::filesystem::path& path) {
    FT_Face face = nullptr;
    if (FT_New_Face(library, path.c_str(), 0, &face) != 0) {
        throw bad_input(fmt::format("{} is not a font that FreeType can read", path.string()));
    }
    FontFile file(face);
    if (FT_Select_Charmap(face, FT_ENCODING_UNICODE) != 0 || FT_Set_Pixel_Sizes(face, 0, em) != 0) {
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
    opened_->file = open(opened_->library.get(), find_face(source, font_folders()));
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

Picture Face::print(char32_t character) const {
    if (!has(character)) {
        throw bad_input(fmt::format("{} has no {}: take another character or another face",
                                    opened_->source.name, utf8(character)));
    }
    // Unhinted: hints move strokes to the pixels of the em, which are not those of the result.
    const FT_Face face = opened_->file.get();
    const bool drawn = FT_Load_Char(face, character, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0 &&
                       FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) == 0;
    if (!drawn) {
        throw bad_input(fmt::format("FreeType cannot draw {} of {}", utf8(character), opened_->source.name));
    }
    if (face->glyph->bitmap.rows == 0) {
        throw bad_input(fmt::format("{} has no ink for {}: take another character or another face",
                                    opened_->source.name, utf8(character)));
    }
    return with_rim(face->glyph->bitmap);
}

Image render_glyph(const Face& face, char32_t character) {
    NormaliseParams params;
    params.polarity = NormaliseParams::Polarity::light_on_dark;
    return normalise(face.print(character), params).image;
}

} // namespace sprig::glyphs
