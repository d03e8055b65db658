#include "lab/glyphs/character_stream.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "lab/glyphs/look_alikes.h"
#include "sprig/error.h"

namespace sprig::glyphs {
namespace {

using testing::ElementsAre;

std::span<const FaceSource> three_faces() {
    return all_faces().first(3);
}

constexpr std::u32string_view letters = U"ABCDEFGHKLMNOPQRSTUVWXYZ";

TEST(CharacterStream, ASampleIsAFunctionOfItsNumber) {
    const CharacterStream one(three_faces(), letters, 7);
    const CharacterStream other(three_faces(), letters, 7);
    std::map<std::uint64_t, Image> images;
    for (std::uint64_t n = 0; n < 100; ++n) images[n] = one.image(n);
    for (std::uint64_t n = 100; n-- > 0;) EXPECT_EQ(other.image(n), images[n]) << n;
    EXPECT_EQ(one.at(9'999'999), other.at(9'999'999));
    EXPECT_EQ(one.image(9'999'999), other.image(9'999'999));
    const CharacterStream another_seed(three_faces(), letters, 8);
    int equal = 0;
    for (std::uint64_t n = 0; n < 100; ++n) equal += another_seed.image(n) == images[n] ? 1 : 0;
    EXPECT_EQ(equal, 0);
}

TEST(CharacterStream, IsTheSameInThreads) {
    constexpr std::uint64_t count = 60;
    const CharacterStream alone(three_faces(), letters, 7);
    std::vector<Image> images(count);
    const auto draw = [&](std::uint64_t first) {
        const CharacterStream own(three_faces(), letters, 7);
        for (std::uint64_t n = first; n < count; n += 2) images[n] = own.image(n);
    };
    std::thread even(draw, 0);
    std::thread odd(draw, 1);
    even.join();
    odd.join();
    for (std::uint64_t n = 0; n < count; ++n) EXPECT_EQ(images[n], alone.image(n)) << n;
}

TEST(CharacterStream, EveryRoundHasEveryClassAndFacesTakeTurns) {
    const CharacterStream stream(three_faces(), letters, 3);
    std::set<std::vector<std::size_t>> orders;
    std::map<std::size_t, std::set<std::size_t>> faces_of;
    for (std::uint64_t round = 0; round < 3; ++round) {
        std::set<std::size_t> labels;
        std::vector<std::size_t> order;
        for (std::uint64_t i = 0; i < letters.size(); ++i) {
            const CharacterSample sample = stream.at((round * letters.size()) + i);
            EXPECT_EQ(sample.copy, round + 1);
            labels.insert(sample.label);
            order.push_back(sample.label);
            faces_of[sample.label].insert(sample.face);
        }
        EXPECT_EQ(labels.size(), letters.size());
        orders.insert(order);
    }
    EXPECT_EQ(orders.size(), 3U);
    for (const auto& [label, faces] : faces_of) EXPECT_EQ(faces.size(), 3U) << label;
}

TEST(CharacterStream, NumbersOfAnySizeHaveASample) {
    const CharacterStream one_class(three_faces().first(1), U"A", 0);
    EXPECT_EQ(one_class.at(0).label, 0U);
    EXPECT_EQ(one_class.at(~std::uint64_t{0}).label, 0U);
    EXPECT_FALSE(one_class.image(~std::uint64_t{0}).pixels.empty());
    EXPECT_THROW(CharacterStream({}, U"A", 0), Error);
    EXPECT_THROW(CharacterStream(three_faces(), U"", 0), Error);
}

TEST(CharacterClasses, LookAlikesOfAFaceAreMerged) {
    // Latin A, Greek Alpha and Cyrillic A are one drawing in most faces.
    const std::u32string characters = U"ABCΑВА";
    const CharacterClasses classes = character_classes(all_faces().first(1), characters);
    EXPECT_EQ(classes.found, 6U);
    EXPECT_EQ(classes.characters, U"ABC");
    EXPECT_THAT(classes.merged, ElementsAre(U"AΑА", U"BВ"));
    EXPECT_THAT(classes.names(), ElementsAre("AΑА", "BВ", "C"));
}

TEST(CharacterClasses, AreDrawnBySeedAndNested) {
    const CharacterClasses classes = character_classes(all_faces().first(1), U"ABCDEFGHАВС");
    const CharacterClasses four = drawn_classes(classes, 4, 1);
    const CharacterClasses six = drawn_classes(classes, 6, 1);
    EXPECT_EQ(four.characters.size(), 4U);
    EXPECT_TRUE(std::ranges::includes(six.characters, four.characters));
    EXPECT_EQ(drawn_classes(classes, 4, 1).characters, four.characters);
    EXPECT_NE(drawn_classes(classes, 4, 2).characters, four.characters);
    EXPECT_EQ(drawn_classes(classes, 100, 1).characters, classes.characters);
    for (const std::u32string& group : four.merged)
        EXPECT_NE(four.characters.find(group.front()), std::u32string::npos);
}

TEST(CoincidingPairs, AreThoseOfAComparisonOfAllPairs) {
    const std::u32string characters = U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzАВЕКМНОРСТХ";
    const Face face(all_faces().front());
    std::vector<Image> images;
    for (const char32_t character : characters) images.push_back(draw_character(face, character));
    std::vector<Pair> found;
    for (std::size_t b = 0; b < images.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            const std::vector<Image> two = {images[a], images[b]};
            if (!coinciding_pairs(two).empty()) found.push_back({a, b});
        }
    }
    std::ranges::sort(found, {}, [](const Pair& pair) { return std::pair(pair.first, pair.second); });
    EXPECT_EQ(coinciding_pairs(images), found);
    EXPECT_GE(found.size(), 11U);
}

Image bar(int width, int height, int length) {
    Image image(width, height);
    for (int y = 20; y < 26; ++y)
        for (int x = 10; x < 10 + length; ++x) image.at(x, y) = 255;
    return image;
}

TEST(CoincidingPairs, ADifferenceOfOnePixelIsAllowed) {
    const std::vector<Image> close = {bar(100, 60, 70), bar(100, 60, 71)};
    EXPECT_THAT(coinciding_pairs(close), ElementsAre(Pair{0, 1}));
    const std::vector<Image> apart = {bar(100, 60, 70), bar(100, 60, 72)};
    EXPECT_TRUE(coinciding_pairs(apart).empty());
    Image with_hole = bar(100, 60, 70);
    with_hole.at(40, 22) = 0;
    const std::vector<Image> topology = {bar(100, 60, 70), with_hole};
    EXPECT_TRUE(coinciding_pairs(topology).empty()) << "another number of holes";
    const std::vector<Image> large = {Image(129, 20)};
    EXPECT_THROW((void)coinciding_pairs(large), Error);
}

} // namespace
} // namespace sprig::glyphs
