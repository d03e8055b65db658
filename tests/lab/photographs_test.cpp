#include "lab/studies/photographs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace sprig::lab::photographs {
namespace {

/// A thick ring.
Image ring() {
    Image image(200, 200);
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 200; ++x) {
            const double r = std::hypot(x - 99.5, y - 99.5);
            image.at(x, y) = r > 60 && r < 90 ? 255 : 0;
        }
    }
    return image;
}

int level(const Picture& picture, int x, int y) {
    return picture.pixels[static_cast<std::size_t>((y * picture.width) + x)];
}

/// The extent of the pixels darker than a level: width and height.
std::pair<int, int> extent_of_dark(const Picture& picture, int than) {
    int left = picture.width;
    int right = -1;
    int top = picture.height;
    int bottom = -1;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            if (level(picture, x, y) >= than) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    }
    return {right - left + 1, bottom - top + 1};
}

/// The greatest difference between the corners.
int difference_of_corners(const Picture& picture) {
    const int right = picture.width - 1;
    const int bottom = picture.height - 1;
    const auto [least, greatest] = std::minmax({level(picture, 0, 0), level(picture, right, 0),
                                                level(picture, 0, bottom), level(picture, right, bottom)});
    return greatest - least;
}

TEST(Photographs, AreOfOneSizeAndTheSameForTheSameKey) {
    const Conditions all{.gradient = 80, .shadow = 60, .blur = 1, .noise = 10, .jpeg = 30, .perspective = 8};
    const Picture picture = photograph(ring(), all, 1);
    EXPECT_EQ(picture.width, picture_width);
    EXPECT_EQ(picture.height, picture_height);
    EXPECT_EQ(picture, photograph(ring(), all, 1));
    EXPECT_NE(picture, photograph(ring(), all, 2));
}

TEST(Photographs, HaveInkOfTheGivenSize) {
    for (const double size : {0.1, 0.6, 0.9}) {
        const auto [width, height] = extent_of_dark(photograph(ring(), {.size = size}, 3), 130);
        EXPECT_NEAR(width, size * picture_height, 3);
        EXPECT_NEAR(height, size * picture_height, 3);
    }
}

TEST(Photographs, HaveTheGivenLight) {
    const Image blank(8, 8);
    EXPECT_EQ(difference_of_corners(photograph(blank, {}, 4)), 0);
    const int gradient = difference_of_corners(photograph(blank, {.gradient = 80}, 4));
    EXPECT_NEAR(gradient, 80, 40); // all of it only if it falls from corner to corner
    const Picture shadow = photograph(blank, {.shadow = 60}, 4);
    EXPECT_EQ(std::ranges::max(shadow.pixels) - std::ranges::min(shadow.pixels), 60);
    const Picture vignette = photograph(blank, {.vignette = 80}, 4);
    EXPECT_NEAR(level(vignette, picture_width / 2, picture_height / 2) - level(vignette, 0, 0), 80, 1);
}

TEST(Photographs, HaveTheGivenNoise) {
    const Picture noisy = photograph(Image(8, 8), {.noise = 10}, 5);
    double sum = 0;
    double squares = 0;
    for (const double value : noisy.pixels) {
        sum += value;
        squares += value * value;
    }
    const auto count = static_cast<double>(noisy.pixels.size());
    EXPECT_NEAR(sum / count, 225, 0.5);
    EXPECT_NEAR(std::sqrt((squares / count) - ((sum / count) * (sum / count))), 10, 0.5);
}

TEST(Photographs, AreBlurredAndCompressed) {
    const auto steepest = [](const Picture& picture) {
        int step = 0;
        for (int y = 0; y < picture.height; ++y)
            for (int x = 1; x < picture.width; ++x)
                step = std::max(step, std::abs(level(picture, x, y) - level(picture, x - 1, y)));
        return step;
    };
    EXPECT_GT(steepest(photograph(ring(), {}, 6)), 90);
    EXPECT_LT(steepest(photograph(ring(), {.blur = 2}, 6)), 40);
    EXPECT_NE(photograph(ring(), {.jpeg = 30}, 6), photograph(ring(), {}, 6));
}

TEST(Photographs, ShowLinesTablesAndChalk) {
    const Image blank(8, 8);
    const auto share_of = [](const Picture& picture, int value) {
        return static_cast<double>(std::ranges::count(picture.pixels, value)) /
               static_cast<double>(picture.pixels.size());
    };
    using enum Conditions::Paper;
    EXPECT_NEAR(share_of(photograph(blank, {.paper = ruled, .lines = 60}, 7), 165), 0.05, 0.005);
    EXPECT_NEAR(share_of(photograph(blank, {.paper = squared, .lines = 60}, 7), 165), 0.0975, 0.01);
    EXPECT_NEAR(share_of(photograph(blank, {.border = 0.1}, 7), 50), 0.19, 0.03);
    EXPECT_EQ(share_of(photograph(blank, {.light_on_dark = true}, 7), 35), 1);
}

TEST(Photographs, TiltedOnesAreDistortedALittle) {
    const auto [width, height] = extent_of_dark(photograph(ring(), {.perspective = 15}, 8), 130);
    EXPECT_LT(std::min(width, height), 0.6 * picture_height);
    EXPECT_GT(std::min(width, height), 0.5 * picture_height);
}

TEST(Photographs, ADigitIsDrawnWithSharpEdges) {
    Image digit(28, 28);
    for (int y = 5; y < 23; ++y)
        for (int x = 12; x < 16; ++x) digit.at(x, y) = 255;
    const Image drawn = as_drawn_with_a_pen(digit.view());
    EXPECT_EQ(drawn.width, 280);
    const auto ink = std::ranges::count_if(drawn.pixels, [](int v) { return v > 127; });
    EXPECT_NEAR(static_cast<double>(ink), 18 * 4 * 100, 300);
}

} // namespace
} // namespace sprig::lab::photographs
