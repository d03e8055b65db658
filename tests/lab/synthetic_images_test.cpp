#include "lab/studies/synthetic_images.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support/shapes.h"

namespace sprig::lab {
namespace {

TEST(OnCanvas, MovesPixels) {
    const Image image = test::from_art({"#.", "##"});
    const Image moved = on_canvas(image.view(), 6, 1, -2);
    EXPECT_EQ(moved.width, 6);
    EXPECT_EQ(moved.height, 6);
    EXPECT_EQ(std::ranges::count(moved.pixels, 255), 3);
    // The middle is at (2, 2).
    EXPECT_EQ(moved.at(3, 0), 255);
    EXPECT_EQ(moved.at(3, 1), 255);
    EXPECT_EQ(moved.at(4, 1), 255);
}

TEST(OnCanvas, LosesNothing) {
    const Image image = test::from_art({"##", "##"});
    EXPECT_EQ(std::ranges::count(on_canvas(image.view(), 6, 2, 2).pixels, 255), 4);
    EXPECT_THROW((void)on_canvas(image.view(), 6, 3, 0), Error);
    EXPECT_THROW((void)on_canvas(image.view(), 6, 0, -3), Error);
    EXPECT_THROW((void)on_canvas(image.view(), 1), Error);
}

TEST(NoiseImages, BelongToTheirNumber) {
    for (const Noise kind : {Noise::pixels, Noise::blobs}) {
        EXPECT_EQ(noise(kind, 3), noise(kind, 3));
        EXPECT_NE(noise(kind, 3), noise(kind, 4));
    }
    EXPECT_NE(noise(Noise::pixels, 3), noise(Noise::blobs, 3));
}

TEST(NoiseImages, HaveAsMuchInkAsDigits) {
    for (const Noise kind : {Noise::pixels, Noise::blobs}) {
        for (std::uint64_t i = 0; i < 20; ++i) {
            const Image image = noise(kind, i);
            EXPECT_EQ(image.view().size(), 784U);
            const auto ink = std::ranges::count(image.pixels, 255);
            EXPECT_GE(ink, 78) << name_of(kind) << " " << i;
            EXPECT_LE(ink, 236) << name_of(kind) << " " << i;
        }
    }
}

/// Neighbours that differ: blobs have fewer of them.
int borders(const Image& image) {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 1; x < image.width; ++x) count += image.at(x, y) == image.at(x - 1, y) ? 0 : 1;
    }
    return count;
}

TEST(NoiseImages, BlobsHangTogether) {
    int blobs = 0;
    int pixels = 0;
    for (std::uint64_t i = 0; i < 20; ++i) {
        blobs += borders(noise(Noise::blobs, i));
        pixels += borders(noise(Noise::pixels, i));
    }
    EXPECT_LT(2 * blobs, pixels);
}

Image grey(int width, std::vector<std::uint8_t> pixels) {
    Image image(width, static_cast<int>(pixels.size()) / width);
    image.pixels = std::move(pixels);
    return image;
}

TEST(Turned, ByNothingLiesInTheMiddle) {
    const Image image = grey(2, {10, 20, 30, 40});
    EXPECT_EQ(rotated(image.view(), 0, false), on_canvas(image.view(), 40));
    EXPECT_EQ(rotated(image.view(), 0, true), on_canvas(grey(2, {20, 10, 40, 30}).view(), 40));
}

TEST(Turned, AQuarterFromXTowardsY) {
    const Image image = grey(2, {10, 20, 30, 40});
    EXPECT_EQ(rotated(image.view(), std::numbers::pi / 2, false),
              on_canvas(grey(2, {30, 10, 40, 20}).view(), 40));
}

TEST(Turned, SharesAPixelAmongThoseThatItFallsBetween) {
    const Image dot = grey(1, {255});
    // The middle of the canvas lies between four pixels: half of the dot's height, then half of its width.
    EXPECT_EQ(rotated(dot.view(), 0, false).at(19, 19), 64);
    // On the slant all four lie sqrt(.5) from the dot along one of its axes: 255 * (1 - .7071).
    const Image slanted = rotated(dot.view(), std::numbers::pi / 4, false);
    for (const int y : {19, 20}) {
        for (const int x : {19, 20}) EXPECT_EQ(slanted.at(x, y), 75);
    }
    EXPECT_EQ(std::ranges::count(slanted.pixels, 0), 1596);
}

TEST(Strokes, GrowByOnePixel) {
    const Image dot = grey(4, {0, 0, 0, 0,   //
                               0, 200, 0, 0, //
                               0, 0, 0, 90});
    EXPECT_EQ(thicker(dot.view(), Step::whole), grey(4, {0, 200, 0, 0,      //
                                                         200, 200, 200, 90, //
                                                         0, 200, 90, 90}));
    EXPECT_EQ(thicker(dot.view(), Step::half), grey(4, {0, 100, 0, 0,      //
                                                        100, 200, 100, 45, //
                                                        0, 100, 45, 90}));
}

TEST(Strokes, ShrinkByOnePixel) {
    // Beyond the border there is no ink, so what touches it shrinks there, too.
    const Image bar = grey(4, {0, 255, 255, 0,     //
                               100, 255, 255, 255, //
                               0, 255, 255, 0});
    EXPECT_EQ(thinner(bar.view(), Step::whole), grey(4, {0, 0, 0, 0,     //
                                                         0, 100, 255, 0, //
                                                         0, 0, 0, 0}));
    EXPECT_EQ(thinner(bar.view(), Step::half), grey(4, {0, 128, 128, 0,    //
                                                        50, 178, 255, 128, //
                                                        0, 128, 128, 0}));
}

TEST(Strokes, HalfAStepMovesNoHardEdge) {
    const Image hard = test::from_art({"....", ".##.", ".##.", "...."});
    const auto ink = [](const Image& image) {
        return std::ranges::count_if(image.pixels, [](int value) { return value > 127; });
    };
    EXPECT_EQ(ink(thicker(hard.view(), Step::half)), 4);
    EXPECT_EQ(ink(thinner(hard.view(), Step::half)), 4);
    // Soft ones become ink, and ink that is not quite black goes.
    EXPECT_EQ(ink(thicker(grey(3, {0, 60, 255}).view(), Step::half)), 2);
    EXPECT_EQ(ink(thinner(grey(3, {0, 200, 255}).view(), Step::half)), 1);
}

TEST(Strokes, ThatWouldBeGoneStay) {
    const Image thin = test::from_art({".....", ".###.", "....."});
    EXPECT_EQ(thinner(thin.view(), Step::whole), thin);
    // Of 200 only 100 would be left, and that is no ink.
    const Image pale = grey(3, {0, 200, 0});
    EXPECT_EQ(thinner(pale.view(), Step::half), pale);
}

double mean_of(const Image& image) {
    double sum = 0;
    for (const int value : image.pixels) sum += value;
    return sum / static_cast<double>(image.pixels.size());
}

TEST(AddedNoise, BelongsToItsKey) {
    const Image image(20, 20, 128);
    EXPECT_EQ(with_noise(image.view(), 20, 3), with_noise(image.view(), 20, 3));
    EXPECT_NE(with_noise(image.view(), 20, 3), with_noise(image.view(), 20, 4));
    EXPECT_EQ(with_noise(image.view(), 0, 3), image);
    EXPECT_EQ(with_specks(image.view(), .1, 3), with_specks(image.view(), .1, 3));
    EXPECT_NE(with_specks(image.view(), .1, 3), with_specks(image.view(), .1, 4));
    EXPECT_EQ(with_specks(image.view(), 0, 3), image);
}

TEST(AddedNoise, HasItsDeviation) {
    const Image noisy = with_noise(Image(100, 100, 128).view(), 20, 1);
    EXPECT_NEAR(mean_of(noisy), 128, 1);
    double squares = 0;
    for (const int value : noisy.pixels) squares += (value - 128.0) * (value - 128.0);
    EXPECT_NEAR(std::sqrt(squares / 10000), 20, 1);
    // A bell has 4.6 % of its numbers beyond two deviations; a box of this deviation has none.
    const auto far =
        std::ranges::count_if(noisy.pixels, [](int value) { return std::abs(value - 128) > 40; });
    EXPECT_NEAR(static_cast<double>(far), 455, 100);
}

TEST(AddedNoise, IsClipped) {
    // Half of it would lie beyond; what is left of the other half has the mean .4 deviations.
    const Image blank = with_noise(Image(100, 100, 0).view(), 50, 1);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(blank.pixels, 0)), 5000, 250);
    EXPECT_NEAR(mean_of(blank), 19.9, 2);
    const Image ink = with_noise(Image(100, 100, 255).view(), 50, 1);
    EXPECT_NEAR(mean_of(ink), 235.1, 2);
}

TEST(Specks, AreInkAndBlankAlike) {
    const Image image = with_specks(Image(100, 100, 7).view(), .2, 1);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(image.pixels, 255)), 1000, 100);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(image.pixels, 0)), 1000, 100);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(image.pixels, 7)), 8000, 150);
}

} // namespace
} // namespace sprig::lab
