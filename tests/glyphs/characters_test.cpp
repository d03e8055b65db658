#include "lab/glyphs/characters.h"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig::glyphs {
namespace {

/// Letters of faces that the other tests need, too, stand for characters here.
const FaceSource& plain_face() {
    return all_faces().front();
}

std::set<std::string> origins(Part part) {
    std::set<std::string> names;
    for (const FaceSource& face : character_faces()) {
        if (face.part == part) names.insert(face.family);
    }
    return names;
}

TEST(Characters, FiveFacesToLearnFromAndThreeOtherOriginsToTestOn) {
    EXPECT_EQ(std::ranges::count(character_faces(), Part::learn, &FaceSource::part), 5);
    const std::set<std::string> learn = origins(Part::learn);
    EXPECT_GE(origins(Part::test).size(), 3U);
    for (const std::string& origin : origins(Part::test)) EXPECT_FALSE(learn.contains(origin)) << origin;
}

TEST(Characters, AreCommonToAllFaces) {
    const std::u32string common = common_characters(character_faces());
    EXPECT_GE(common.size(), 10'000U);
    EXPECT_TRUE(std::ranges::is_sorted(common));
    for (const FaceSource& source : character_faces()) {
        const Face face(source);
        for (std::size_t i = 0; i < common.size(); i += 500)
            EXPECT_TRUE(face.draws(common[i])) << source.name;
    }
}

TEST(Characters, AreDrawnInTheMiddleOfASquare) {
    const Face face(plain_face());
    for (const char32_t character : std::u32string(U"AgQ8%")) {
        const Image image = draw_character(face, character);
        EXPECT_EQ(image.width, character_side);
        EXPECT_EQ(image.height, character_side);
        double mass = 0;
        double x_sum = 0;
        int left = image.width, right = 0, top = image.height, bottom = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                const int ink = image.at(x, y);
                mass += ink;
                x_sum += ink * (x + 0.5);
                if (ink <= 127) continue;
                left = std::min(left, x);
                right = std::max(right, x);
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
        }
        EXPECT_NEAR(std::max(right - left, bottom - top) + 1, 60, 2);
        EXPECT_NEAR(x_sum / mass, 42, 1);
    }
}

TEST(Characters, ACopyDiffersByItsKeysOnly) {
    const Distortion drawn = drawn_distortion({}, 1, plain_face(), U'A', 1);
    EXPECT_EQ(drawn, drawn_distortion({}, 1, plain_face(), U'A', 1));
    EXPECT_NE(drawn, drawn_distortion({}, 2, plain_face(), U'A', 1));
    EXPECT_NE(drawn, drawn_distortion({}, 1, all_faces()[1], U'A', 1));
    EXPECT_NE(drawn, drawn_distortion({}, 1, plain_face(), U'B', 1));
    EXPECT_NE(drawn, drawn_distortion({}, 1, plain_face(), U'A', 2));
    EXPECT_EQ(drawn_distortion({}, 1, plain_face(), U'A', 0), Distortion());
}

TEST(Characters, DistortionsStayWithinTheirLimits) {
    const DistortionLimits limits;
    double most = 0;
    for (std::uint64_t copy = 1; copy <= 200; ++copy) {
        const Distortion drawn = drawn_distortion(limits, 0, plain_face(), U'A', copy);
        EXPECT_LE(std::abs(drawn.turn), limits.turn);
        EXPECT_LE(std::abs(drawn.shear), limits.shear);
        EXPECT_LE(std::abs(drawn.stretch), limits.stretch);
        EXPECT_LE(std::abs(drawn.pen), limits.pen);
        EXPECT_LE(std::abs(drawn.size), limits.size);
        EXPECT_LE(drawn.noise, limits.noise);
        most = std::max(most, std::abs(drawn.turn));
    }
    EXPECT_GT(most, 0.9 * limits.turn);
}

TEST(Characters, ADistortionChangesWhatItNames) {
    const Face face(plain_face());
    const auto ink = [&](const Distortion& distortion) {
        const Image image = draw_character(face, U'O', distortion);
        return std::ranges::count_if(image.pixels, [](std::uint8_t grey) { return grey > 127; });
    };
    EXPECT_GT(ink({.pen = 0.04}), ink({}));
    EXPECT_LT(ink({.pen = -0.04}), ink({}));
    EXPECT_GT(ink({.size = 0.1}), ink({}));
    const Image noisy = draw_character(face, U'O', {.noise = 16, .noise_key = 1});
    const Image clean = draw_character(face, U'O');
    EXPECT_NE(noisy, clean);
    EXPECT_NE(noisy, draw_character(face, U'O', {.noise = 16, .noise_key = 2}));
    double squares = 0;
    int inside = 0;
    for (std::size_t i = 0; i < clean.pixels.size(); ++i) {
        if (clean.pixels[i] != 255) continue;
        const double off = 255 - noisy.pixels[i]; // half of the noise is cut off
        squares += off * off;
        ++inside;
    }
    EXPECT_NEAR(squares / inside, 16 * 16 / 2.0, 40);
}

TEST(Characters, ACharacterThatAFaceDoesNotHaveIsAnError) {
    const Face face(plain_face());
    EXPECT_FALSE(face.draws(U'\U0001F9A9'));
    EXPECT_FALSE(face.draws(U' ')) << "it has no ink";
    EXPECT_THROW((void)draw_character(face, U' '), Error);
}

} // namespace
} // namespace sprig::glyphs
