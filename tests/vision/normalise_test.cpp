#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"
#include "support/shapes.h"

namespace sprig {
namespace {

using testing::HasSubstr;

/// A thick slanted stroke with a foot, enlarged `zoom` times, with the given shades of ink and background.
Picture drawing(int zoom, std::uint8_t ink, std::uint8_t background, int channels = 1) {
    const Image shape = test::from_art({"..........", //
                                        "......##..", //
                                        ".....###..", //
                                        "....####..", //
                                        "......##..", //
                                        "......##..", //
                                        "......##..", //
                                        "....#####.", //
                                        "....#####.", //
                                        ".........."});
    Picture picture{shape.width * zoom, shape.height * zoom, channels, {}};
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const bool on = shape.at(x / zoom, y / zoom) != 0;
            for (int c = 0; c < (channels < 3 ? 1 : 3); ++c) picture.pixels.push_back(on ? ink : background);
            if (channels % 2 == 0) picture.pixels.push_back(on ? 255 : 0); // transparent background
        }
    }
    return picture;
}

/// Bounds of the ink: left, top, right, bottom.
std::array<int, 4> ink_bounds(const Image& image) {
    std::array<int, 4> b = {image.width, image.height, -1, -1};
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) == 0) continue;
            b = {std::min(b[0], x), std::min(b[1], y), std::max(b[2], x), std::max(b[3], y)};
        }
    }
    return b;
}

TEST(Normalise, FitsTheBoxAndCentresByMass) {
    const Image image = normalise(drawing(7, 0, 255)).image;
    EXPECT_EQ(image.width, 28);
    EXPECT_EQ(image.height, 28);
    const auto [left, top, right, bottom] = ink_bounds(image);
    EXPECT_EQ(bottom - top + 1, 20);
    EXPECT_LE(right - left + 1, 14);
    double mass = 0;
    double x_mass = 0;
    double y_mass = 0;
    for (int y = 0; y < 28; ++y) {
        for (int x = 0; x < 28; ++x) {
            mass += image.at(x, y);
            x_mass += image.at(x, y) * x;
            y_mass += image.at(x, y) * y;
        }
    }
    EXPECT_NEAR(x_mass / mass, 14, 0.5);
    EXPECT_NEAR(y_mass / mass, 14, 0.5);
}

/// The same drawing with other polarity, channels and contrast.
std::vector<Picture> variants_of_drawing(int zoom) {
    return {drawing(zoom, 255, 0),     // light on dark
            drawing(zoom, 0, 255, 3),  // colour
            drawing(zoom, 30, 255, 4), // dark on transparent
            drawing(zoom, 220, 0, 4),  // light on transparent
            drawing(zoom, 220, 0, 2),  // grey with alpha
            drawing(zoom, 70, 190)};   // poor contrast
}

/// The mean difference between two images, in grey levels.
double apart(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(a.pixels[i] - b.pixels[i]);
    return sum / static_cast<double>(a.pixels.size());
}

TEST(Normalise, IsIndependentOfPolarityAndChannels) {
    EXPECT_TRUE(normalise(drawing(10, 0, 255)).dark_on_light);
    EXPECT_FALSE(normalise(drawing(10, 255, 0)).dark_on_light);
    const NormaliseParams clean{.even_light = false};
    for (const Picture& picture : variants_of_drawing(10)) {
        EXPECT_EQ(normalise(picture, clean).image, normalise(drawing(10, 0, 255), clean).image);
        // Light is estimated from the paper beside the ink, so a level can be rounded differently.
        EXPECT_LT(apart(normalise(picture).image, normalise(drawing(10, 0, 255)).image), 0.1);
    }
    for (const Picture& picture : variants_of_drawing(6))
        EXPECT_EQ(normalise(picture).image, normalise(drawing(6, 0, 255)).image) << "too small for light";
}

TEST(Normalise, PolarityCanBeGiven) {
    const Image expected = normalise(drawing(10, 0, 255)).image;
    NormaliseParams params;
    params.polarity = NormaliseParams::Polarity::light_on_dark;
    params.invert = true;
    EXPECT_EQ(normalise(drawing(10, 0, 255), params).image, expected);
    NormaliseParams inverted;
    inverted.invert = true;
    const Normalised background_as_ink = normalise(drawing(10, 0, 255), inverted);
    EXPECT_FALSE(background_as_ink.dark_on_light);
    EXPECT_NE(background_as_ink.image, expected);
}

TEST(Normalise, RemovesAScannersBackground) {
    const Image expected = normalise(drawing(30, 20, 225)).image;
    Picture scan = drawing(30, 20, 225);
    std::mt19937 random(1);
    for (std::size_t i = 0; i < scan.pixels.size(); ++i) {
        const int noise = static_cast<int>(random() % 17) - 8;
        scan.pixels[i] = static_cast<std::uint8_t>(scan.pixels[i] + noise);
        if (random() % 500 == 0) scan.pixels[i] = 0; // dust
    }
    EXPECT_LT(apart(normalise(scan).image, expected), 4);
}

TEST(Normalise, WidensThinStrokes) {
    // A circle of 400 px with a stroke of 3 px would be too pale to see when scaled down to 20 px.
    Picture picture{440, 440, 1, std::vector<std::uint8_t>(std::size_t{440} * 440, 255)};
    for (int y = 0; y < 440; ++y) {
        for (int x = 0; x < 440; ++x) {
            const double r = std::hypot(x - 220, y - 220);
            if (r > 197 && r < 200) picture.pixels[static_cast<std::size_t>((y * 440) + x)] = 0;
        }
    }
    const Normalised result = normalise(picture);
    EXPECT_GT(result.thickened, 0);
    EXPECT_EQ(FrontEnd().topology(result.image.view()), (Topology{1, 1}));
    EXPECT_EQ(normalise(drawing(10, 0, 255)).thickened, 0);
}

TEST(Normalise, KeepsAPictureOfManySmallParts) {
    Picture dots{200, 200, 1, std::vector<std::uint8_t>(40000, 255)};
    for (std::size_t y = 4; y < 200; y += 10) {
        for (std::size_t x = 4; x < 200; x += 10) {
            for (const std::size_t at :
                 {(y * 200) + x, (y * 200) + x + 1, ((y + 1) * 200) + x, ((y + 1) * 200) + x + 1}) {
                dots.pixels[at] = 0;
            }
        }
    }
    // With the rim of one pixel from the blur that reduces noise.
    EXPECT_EQ(normalise(dots).crop, (std::array{3, 3, 194, 194}));
}

/// The drawing with dark strips along two sides, as from a scanner's lid.
Picture scan_with_dark_edges(int strip) {
    Picture picture = drawing(30, 20, 225);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            if (x < strip || y < strip)
                picture.pixels[static_cast<std::size_t>((y * picture.width) + x)] = 10;
        }
    }
    return picture;
}

TEST(Normalise, RemovesTheEdgesOfAScan) {
    const Normalised expected = normalise(drawing(30, 20, 225));
    const Normalised scanned = normalise(scan_with_dark_edges(12));
    EXPECT_TRUE(scanned.dark_on_light);
    EXPECT_EQ(scanned.crop, expected.crop);
}

TEST(Normalise, WideningALargePictureIsFast) {
    // Dilation with a disc of 150 px would take minutes; a distance transform takes one pass.
    constexpr int side = 3000;
    Picture picture{side, side, 1, std::vector<std::uint8_t>(std::size_t{side} * side, 255)};
    for (std::size_t i = 100; i < side - 100; ++i) {
        for (std::size_t w = 0; w < 4; ++w) picture.pixels[(i * side) + i + w] = 0;
    }
    const Normalised result = normalise(picture);
    EXPECT_GT(result.thickened, 200);
    EXPECT_EQ(FrontEnd().topology(result.image.view()), (Topology{1, 0}));
}

TEST(Normalise, SmallAndExtremeShapes) {
    Picture dot{5, 5, 1, std::vector<std::uint8_t>(25, 255)};
    dot.pixels[12] = 0;
    EXPECT_EQ(ink_bounds(normalise(dot).image), (std::array{5, 5, 24, 24}));
    Picture line{300, 3, 1, std::vector<std::uint8_t>(900, 255)};
    for (std::size_t i = 310; i < 590; ++i) line.pixels[i] = 0;
    const auto [left, top, right, bottom] = ink_bounds(normalise(line).image);
    EXPECT_EQ(right - left + 1, 20);
    EXPECT_LE(bottom - top + 1, 3);
}

TEST(Normalise, FindsInkInTheFirstColumns) {
    // cv::boundingRect of OpenCV 4.6 found one column of these three.
    Picture corner{5, 2, 1, std::vector<std::uint8_t>(10, 255)};
    std::fill_n(corner.pixels.begin() + 5, 3, std::uint8_t{0});
    EXPECT_EQ(normalise(corner).crop, (std::array{0, 1, 3, 1}));
}

std::string error_message(const Picture& picture, const NormaliseParams& params = {}) {
    try {
        (void)normalise(picture, params);
        return "accepted";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Normalise, RejectsPicturesWithoutInk) {
    EXPECT_THAT(error_message({4, 4, 1, std::vector<std::uint8_t>(16, 255)}), HasSubstr("no ink"));
    EXPECT_THAT(error_message({4, 4, 1, std::vector<std::uint8_t>(16, 0)}), HasSubstr("no ink"));
    EXPECT_THAT(error_message({4, 4, 4, std::vector<std::uint8_t>(64, 0)}), HasSubstr("no ink"));
    EXPECT_THAT(error_message({1, 1, 1, {7}}), HasSubstr("no ink"));
    Picture grainy{8, 8, 1, {}};
    for (int i = 0; i < 64; ++i) grainy.pixels.push_back(static_cast<std::uint8_t>(200 + (i % 7)));
    EXPECT_THAT(error_message(grainy), HasSubstr("no ink"));
}

TEST(Normalise, RejectsInvalidPicturesAndParameters) {
    EXPECT_THAT(error_message({0, 4, 1, {}}), HasSubstr("invalid picture of 0 x 4 px"));
    EXPECT_THAT(error_message({4, 4, 1, std::vector<std::uint8_t>(15)}),
                HasSubstr("invalid picture of 4 x 4 px"));
    EXPECT_THAT(error_message(drawing(1, 0, 255), {.box = 30, .side = 28}), HasSubstr("does not fit"));
}

} // namespace
} // namespace sprig
