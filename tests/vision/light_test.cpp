// Pictures in uneven light: each step, and what comes out in the end.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "vision/even_light.h"
#include "vision/ink_levels.h"
#include "vision/polarity.h"

namespace sprig {
namespace {

using testing::HasSubstr;

constexpr int sheet_width = 640;
constexpr int sheet_height = 480;
constexpr double paper_level = 220;
constexpr double ink_level = 60;

/// The distance from a point to a line from one corner to the next.
double distance_to(double x, double y, std::array<double, 4> line) {
    const double dx = line[2] - line[0];
    const double dy = line[3] - line[1];
    const double along =
        std::clamp((((x - line[0]) * dx) + ((y - line[1]) * dy)) / ((dx * dx) + (dy * dy)), 0.0, 1.0);
    return std::hypot(x - line[0] - (along * dx), y - line[1] - (along * dy));
}

/// A house with a roof and a door, as shares of 1 that are ink.
double house(double x, double y) {
    constexpr std::array<std::array<double, 4>, 9> lines = {{{220, 220, 220, 380},
                                                             {220, 380, 420, 380},
                                                             {420, 380, 420, 220},
                                                             {420, 220, 220, 220},
                                                             {220, 220, 320, 110},
                                                             {320, 110, 420, 220},
                                                             {300, 380, 300, 300},
                                                             {300, 300, 340, 300},
                                                             {340, 300, 340, 380}}};
    double nearest = sheet_width;
    for (const auto& line : lines) nearest = std::min(nearest, distance_to(x, y, line));
    return std::clamp(5 - nearest, 0.0, 1.0);
}

double blank(double, double) {
    return 0;
}

// Light, as a factor.
double even(double, double) {
    return 1;
}
double slanting(double x, double y) {
    return 1 - (0.6 * ((x / sheet_width) + (y / sheet_height)) / 2);
}
double shadow_edge(double x, double y) {
    return x + (0.5 * y) < 400 ? 1 : 0.7;
}
double vignette(double x, double y) {
    const double u = (x / sheet_width) - 0.5;
    const double v = (y / sheet_height) - 0.5;
    return 1 - ((u * u) + (v * v));
}

struct Shades {
    double level = ink_level;
    double on = paper_level;
};

using Function = double (*)(double, double);

Image levels_of(Function drawing, Function light, double noise = 0, Shades shades = {}) {
    Image image(sheet_width, sheet_height);
    std::mt19937 random(1);
    for (int y = 0; y < sheet_height; ++y) {
        for (int x = 0; x < sheet_width; ++x) {
            const double reflected = shades.on + (drawing(x, y) * (shades.level - shades.on));
            double sum = 0; // of twelve uniform numbers: nearly normal
            for (int i = 0; noise > 0 && i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0;
            const double value = (light(x, y) * reflected) + (noise > 0 ? noise * (sum - 6) : 0);
            image.at(x, y) = static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
        }
    }
    return image;
}

Picture picture_of(const Image& image) {
    return {image.width, image.height, 1, image.pixels};
}

std::string error_message(const Image& image) {
    try {
        (void)normalise(picture_of(image));
        return "accepted";
    } catch (const Error& error) {
        return error.what();
    }
}

/// The mean difference between two images, in grey levels.
double mean_difference(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
    return sum / static_cast<double>(a.pixels.size());
}

constexpr Shades chalk = {200, 40};

TEST(Light, PolarityDoesNotDependOnIt) {
    for (const Function light : {even, slanting, shadow_edge, vignette}) {
        for (const double noise : {0.0, 10.0}) {
            EXPECT_TRUE(photographed_background_is_light(levels_of(house, light, noise)));
            EXPECT_FALSE(photographed_background_is_light(levels_of(house, light, noise, chalk)));
        }
    }
}

TEST(Light, PolarityOfLargeInkIsThatOfTheBorder) {
    const auto disc = [](double x, double y) { return std::hypot(x - 320, y - 240) < 220 ? 1.0 : 0.0; };
    EXPECT_TRUE(photographed_background_is_light(levels_of(disc, even)));
    EXPECT_FALSE(photographed_background_is_light(levels_of(disc, even, 0, chalk)));
    for (const int side : {1, 2, 3, 5}) {
        EXPECT_TRUE(photographed_background_is_light(Image(side, side, 255)));
        EXPECT_FALSE(photographed_background_is_light(Image(side, side, 0)));
    }
}

TEST(Light, EvenLightIsNotChanged) {
    for (const Shades shades : {Shades{}, chalk}) {
        const Image picture = levels_of(house, even, 0, shades);
        Image evened = picture;
        even_light(evened, shades.on > shades.level);
        EXPECT_EQ(evened, picture);
    }
}

TEST(Light, PaperGetsOneLevel) {
    for (const Function light : {slanting, shadow_edge, vignette}) {
        Image picture = levels_of(house, light);
        even_light(picture, true);
        std::vector<int> levels;
        for (int y = 0; y < sheet_height; ++y) {
            for (int x = 0; x < sheet_width; ++x) {
                // A shadow's edge lies within one cell of the grid, so it is not evened out there.
                const bool at_edge = light == shadow_edge && std::abs(x + (0.5 * y) - 400) < 16;
                if (house(x, y) == 0 && !at_edge) levels.push_back(picture.at(x, y));
            }
        }
        std::ranges::sort(levels);
        EXPECT_LE(levels[levels.size() * 99 / 100] - levels[levels.size() / 100], 8);
    }
}

TEST(Light, ALargeShapeIsNotTakenForAShadow) {
    const auto disc = [](double x, double y) { return std::hypot(x - 320, y - 240) < 130 ? 1.0 : 0.0; };
    Image picture = levels_of(disc, slanting);
    even_light(picture, true);
    EXPECT_LT(picture.at(320, 240), 100);
    EXPECT_GT(picture.at(100, 240), 120);
    EXPECT_NEAR(picture.at(100, 240), picture.at(600, 440), 4);
}

TEST(Light, LevelsOfInkDoNotDependOnTheSizeOfThePaper) {
    Image small(200, 200, 30);
    for (int y = 90; y < 110; ++y)
        for (int x = 60; x < 140; ++x) small.at(x, y) = 180;
    const InkLevels levels = photographed_ink_levels(small);
    EXPECT_EQ(levels.paper, 30);
    EXPECT_EQ(levels.ink, 180);
    EXPECT_EQ(levels.threshold, 105);
    EXPECT_EQ(levels.noise, 0);
    EXPECT_FALSE(photographed_ink_levels(Image(80, 80, 7)).are_found());
    EXPECT_FALSE(clean_ink_levels(Image(80, 80, 7), 7).are_found());
}

TEST(Light, NoiseOfThePaperIsMeasured) {
    Image picture = levels_of(house, even, 8);
    for (std::uint8_t& v : picture.pixels) v = static_cast<std::uint8_t>(255 - v);
    EXPECT_NEAR(photographed_ink_levels(picture).noise, 8, 1);
}

TEST(Light, AHouseIsTheSameInAnyLight) {
    const Image expected = normalise(picture_of(levels_of(house, even))).image;
    EXPECT_EQ(FrontEnd().topology(expected.view()), (Topology{1, 2}));
    for (const Function light : {slanting, shadow_edge, vignette}) {
        for (const double noise : {0.0, 10.0}) {
            const Normalised dark = normalise(picture_of(levels_of(house, light, noise)));
            EXPECT_TRUE(dark.dark_on_light);
            EXPECT_LT(mean_difference(dark.image, expected), 4);
            const Normalised bright = normalise(picture_of(levels_of(house, light, noise, chalk)));
            EXPECT_FALSE(bright.dark_on_light);
            EXPECT_LT(mean_difference(bright.image, expected), 5);
        }
    }
}

TEST(Light, PicturesOfBlankSheetsAreRefused) {
    for (const Shades shades : {Shades{}, chalk}) {
        for (const Function light : {even, slanting, shadow_edge}) {
            for (const double noise : {0.0, 3.0, 10.0}) {
                EXPECT_EQ(error_message(levels_of(blank, light, noise, shades)),
                          "the picture has no ink: nothing in it stands out from the background");
            }
        }
    }
}

TEST(Light, PaleInkIsRefusedOnlyInNoise) {
    EXPECT_EQ(error_message(levels_of(house, slanting, 0, {185, 220})), "accepted");
    EXPECT_EQ(error_message(levels_of(house, slanting, 2, {185, 220})), "accepted");
    EXPECT_THAT(error_message(levels_of(house, slanting, 0, {215, 220})), HasSubstr("no ink"));
}

TEST(Light, PlacesAreThoseOfTheLargePicture) {
    // Six megapixels: the picture is reduced.
    Image large(3000, 2000, 230);
    for (int y = 600; y < 1400; ++y)
        for (int x = 1000; x < 1300; ++x) large.at(x, y) = 20;
    const Normalised found = normalise(picture_of(large));
    EXPECT_NEAR(found.crop[0], 1000, 12);
    EXPECT_NEAR(found.crop[1], 600, 12);
    EXPECT_NEAR(found.crop[2], 300, 24);
    EXPECT_NEAR(found.crop[3], 800, 24);
}

TEST(Light, ATableBesideTheSheetIsLeftOut) {
    const Image expected = normalise(picture_of(levels_of(house, even))).image;
    const auto table = [](double x, double y) { return x > 560 - (0.1 * y) || y > 450 ? 1.0 : house(x, y); };
    EXPECT_LT(mean_difference(normalise(picture_of(levels_of(table, slanting))).image, expected), 3);
}

TEST(Light, ATableMayBeDarkerThanTheInk) {
    // Pencil on a sheet that lies on a black table.
    Image picture = levels_of(house, slanting, 3, {150, 220});
    for (int y = 0; y < sheet_height; ++y)
        for (int x = 0; x < sheet_width; ++x)
            if (x < 60 + (y / 20) || y > 430) picture.at(x, y) = 5;
    const Image expected = normalise(picture_of(levels_of(house, even))).image;
    EXPECT_LT(mean_difference(normalise(picture_of(picture)).image, expected), 4);
}

TEST(Light, DustBesideACutOffDrawingIsNotTakenForIt) {
    // A stroke that comes in from the left, and a speck.
    Image picture = levels_of(blank, slanting);
    for (int y = 220; y < 260; ++y)
        for (int x = 0; x < 200; ++x) picture.at(x, y) = 30;
    for (int y = 400; y < 408; ++y)
        for (int x = 500; x < 508; ++x) picture.at(x, y) = 30;
    const Normalised found = normalise(picture_of(picture));
    EXPECT_EQ(found.crop[0], 0);
    EXPECT_NEAR(found.crop[2], 200, 4);
    EXPECT_NEAR(found.crop[3], 40, 6);
}

TEST(Light, ACloselyCutLetterKeepsItsParts) {
    // A stem that touches the lower edge, with a dot inside.
    Image letter(80, 240, 255);
    for (int y = 0; y < 240; ++y) {
        for (int x = 20; x < 60; ++x)
            if (y >= 80 || (y >= 10 && y < 50)) letter.at(x, y) = 0;
    }
    FrontEnd front_end({.min_contour = 0}); // the dot is small
    EXPECT_EQ(front_end.topology(normalise(picture_of(letter)).image.view()), (Topology{2, 0}));
}

} // namespace
} // namespace sprig
