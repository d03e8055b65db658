#include "lab/glyphs/glyph_set.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::glyphs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

std::set<int> labels(const Dataset& data) {
    std::set<int> seen;
    for (std::size_t i = 0; i < data.size(); ++i) seen.insert(data.label(i));
    return seen;
}

/// Every class has an image, and every image has a class.
void expect_all_classes(const Dataset& data) {
    const std::set<int> seen = labels(data);
    EXPECT_EQ(seen.size(), data.classes().size());
    EXPECT_EQ(*seen.begin(), 0);
}

bool are_distinct(const Dataset& data, char a, char b) {
    return std::ranges::none_of(data.classes(), [&](const std::string& label) {
        return label.find(a) != std::string::npos && label.find(b) != std::string::npos;
    });
}

TEST(GlyphSet, OfLetters) {
    const GlyphSet set = letter_set();
    const auto learn_faces =
        static_cast<std::size_t>(std::ranges::count(all_faces(), Part::learn, &FaceSource::part));
    EXPECT_EQ(set.learn.size(), 62 * learn_faces);
    EXPECT_EQ(set.test.size(), 62 * (all_faces().size() - learn_faces));
    EXPECT_EQ(set.learn.classes(), set.test.classes());
    expect_all_classes(set.learn);
    expect_all_classes(set.test);
    EXPECT_EQ(set.learn.name(0), "A in DejaVu Sans");

    EXPECT_THAT(set.merged, IsSupersetOf({"Cc", "Oo0", "Ss", "Vv", "Ww", "Xx", "Zz"}));
    EXPECT_THAT(set.merged, Contains("Il1"));
    const std::vector<std::string> apart = {"OQ", "EF", "CG", "PR", "ij", "nh", "ce", "gq", "71", "38",
                                            "5S", "2Z", "8B", "DO", "uv", "Uu", "MN", "il", "6b"};
    for (const std::string& pair : apart) EXPECT_TRUE(are_distinct(set.learn, pair[0], pair[1])) << pair;
}

TEST(GlyphSet, OfMoreThanAHundredClasses) {
    const GlyphSet set = large_set();
    EXPECT_GE(set.learn.classes().size(), 100U);
    EXPECT_EQ(set.learn.classes(), set.test.classes());
    expect_all_classes(set.learn);
    expect_all_classes(set.test);
    EXPECT_GE(set.learn.size() / letters_and_signs().size(), 4U);
    EXPECT_GE(set.test.size() / letters_and_signs().size(), 4U);
    for (const std::string& label : set.merged) EXPECT_LE(label.size(), 4U) << "too many characters";
}

TEST(GlyphSet, AMissingCharacterNamesTheFace) {
    try {
        (void)make_glyph_set(U"A\U0001F9A9", all_faces().first(1));
        FAIL() << "it was drawn";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("DejaVu Sans"));
    }
}

} // namespace
} // namespace sprig::glyphs
