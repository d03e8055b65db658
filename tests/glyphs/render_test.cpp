#include "lab/glyphs/render.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>

#include "lab/glyphs/glyph_set.h"
#include "sprig/error.h"

namespace sprig::glyphs {
namespace {

using testing::HasSubstr;

/// The number of columns or rows from the first with ink to the last.
int extent(const Image& image, bool across) {
    int first = across ? image.width : image.height;
    int last = -1;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) == 0) continue;
            first = std::min(first, across ? x : y);
            last = std::max(last, across ? x : y);
        }
    }
    return last - first + 1;
}

TEST(Render, EveryLetterHasTheFormatOfMnist) {
    for (const FaceSource& source : all_faces()) {
        const Face face(source);
        for (const char32_t character : letters_and_digits()) {
            const Image image = render_glyph(face, character);
            SCOPED_TRACE(utf8(character) + " in " + source.name);
            ASSERT_EQ(image.width, 28);
            ASSERT_EQ(image.height, 28);
            const int longer = std::max(extent(image, true), extent(image, false));
            EXPECT_TRUE(longer == 20 || longer == 19) << longer; // a soft rim may fade
            EXPECT_GT(*std::max_element(image.pixels.begin(), image.pixels.end()), 127);
        }
    }
}

TEST(Render, IsDeterministic) {
    const FaceSource& source = all_faces().front();
    const Face face(source);
    const Image image = render_glyph(face, U'g');
    EXPECT_EQ(render_glyph(face, U'g'), image);
    EXPECT_EQ(render_glyph(Face(source), U'g'), image);
}

TEST(Render, InkIsLightAndHolesAreDark) {
    const Image o = render_glyph(Face(all_faces().front()), U'O');
    EXPECT_LT(o.at(14, 14), 10);
    EXPECT_LT(o.at(0, 0), 10);
    EXPECT_GT(o.at(14, 14 - 9), 127);
}

TEST(Render, AMissingCharacterIsRejected) {
    const Face face(all_faces().front());
    EXPECT_FALSE(face.has(U'\U0001F9A9'));
    try {
        (void)render_glyph(face, U'\U0001F9A9');
        FAIL() << "it was drawn";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_THAT(error.what(), HasSubstr(face.source().name));
    }
}

TEST(Render, ACharacterWithoutInkIsRejected) {
    EXPECT_THROW((void)render_glyph(Face(all_faces().front()), U' '), Error);
}

TEST(Render, CharactersAsText) {
    EXPECT_EQ(utf8(U'A'), "A");
    EXPECT_EQ(utf8(U"Ω€"), "Ω€");
    EXPECT_EQ(utf8(U'\U0001F9A9'), "\U0001F9A9");
}

} // namespace
} // namespace sprig::glyphs
