#include "vision/resample.h"

#include <random>

#include <gmock/gmock.h>

#include "sprig/front_end.h"
#include "support/reference_resampler.h"
#include "support/shapes.h"

namespace sprig {
namespace {

using test::ReferenceResampler;
using testing::ElementsAre;

TEST(Resample, ScaleOneChangesNothing) {
    const Image image = test::random_shape(7, 12);
    const Image result = ReferenceResampler::run(image.view(), 1, {});
    EXPECT_EQ(result, image);
}

TEST(Resample, InterpolatesBetweenPixelCentres) {
    Image image(2, 1);
    image.at(0, 0) = 100;
    image.at(1, 0) = 200;
    const Image result = ReferenceResampler::run(image.view(), 2, {});
    // Columns are at -.25, .25, .75 and 1.25, rows at -.25 and .25; outside the image is background.
    EXPECT_EQ(result.width, 4);
    EXPECT_EQ(result.height, 2);
    const auto rounded = [](double v) { return static_cast<std::uint8_t>(v + .5); };
    EXPECT_THAT(result.pixels, ElementsAre(rounded(.75 * .75 * 100), rounded(.75 * 125), rounded(.75 * 175),
                                           rounded(.75 * .75 * 200), rounded(.75 * .75 * 100),
                                           rounded(.75 * 125), rounded(.75 * 175), rounded(.75 * .75 * 200)));
}

TEST(Resample, FullInkStaysInk) {
    const Image image(3, 3, 255);
    for (int scale = 1; scale <= 16; ++scale) {
        const Image result = ReferenceResampler::run(image.view(), scale, {});
        for (const std::uint8_t v : result.pixels) EXPECT_GE(v, 64);
        FrontEnd front_end({.scale = scale, .min_contour = 2});
        EXPECT_EQ(front_end.topology(image.view()), (Topology{1, 0})) << scale;
    }
}

TEST(Slant, OfASlantedBar) {
    Image bar(20, 20);
    for (int y = 2; y < 18; ++y) {
        for (int x = 0; x < 4; ++x) bar.at(x + (y / 2) + 1, y) = 255;
    }
    EXPECT_NEAR(measure_slant(bar.view()).shear, 0.5, 0.02);
    EXPECT_NEAR(measure_slant(test::mirrored(bar).view()).shear, -0.5, 0.02);

    const Image upright = ReferenceResampler::run(bar.view(), 1, measure_slant(bar.view()));
    EXPECT_NEAR(measure_slant(upright.view()).shear, 0, 0.03);
}

TEST(Slant, IsClampedAndZeroIfUndefined) {
    EXPECT_EQ(measure_slant(Image(5, 5).view()).shear, 0);
    Image row(5, 3);
    row.at(1, 1) = row.at(2, 1) = 255;
    EXPECT_EQ(measure_slant(row.view()).shear, 0) << "one row has no slant";
    Image flat(20, 3);
    for (int x = 0; x < 20; ++x) flat.at(x, x / 7) = 255;
    EXPECT_EQ(measure_slant(flat.view()).shear, 1);
}

TEST(FrontEndScaled, NodesAreInOriginalPixels) {
    Image square(12, 12);
    for (int y = 3; y < 9; ++y) {
        for (int x = 3; x < 9; ++x) square.at(x, y) = 255;
    }
    const Network once = FrontEnd()(square.view());
    const Network four_times = FrontEnd({.scale = 4})(square.view());
    ASSERT_EQ(four_times.node_count(), once.node_count());
    for (NodeId n = 0; n < once.node_count(); ++n) {
        EXPECT_EQ(four_times.type(n), once.type(n));
        // The contour of an enlarged pixel runs nearer to its edge, by at most half a pixel.
        EXPECT_NEAR(four_times.coordinate(n, 0), once.coordinate(n, 0), 0.5);
        EXPECT_NEAR(four_times.coordinate(n, 1), once.coordinate(n, 1), 0.5);
        EXPECT_NEAR(four_times.attribute(n, 0), once.attribute(n, 0), 1);
    }
    EXPECT_EQ(FrontEnd({.scale = 2, .min_contour = 11}).topology(square.view()), (Topology{1, 0}));
}

/// A grey image with soft and hard edges.
Image random_grey(std::mt19937& random, int width, int height) {
    Image image(width, height);
    const auto kind = random() % 3;
    for (std::uint8_t& v : image.pixels) {
        const auto level = static_cast<std::uint8_t>(random() % 256);
        v = kind == 0 || (kind == 1 && level > 200) ? level
                                                    : static_cast<std::uint8_t>(level < 128 ? 0 : 255);
    }
    return image;
}

TEST(Resample, InkIsThatOfEveryPixelInterpolated) {
    std::mt19937 random(5);
    Resampler resampler;
    BinaryImage result;
    for (int i = 0; i < 1500 && !testing::Test::HasFailure(); ++i) {
        const int width = 1 + static_cast<int>(random() % (i % 10 == 0 ? 150 : 30));
        const Image image = random_grey(random, width, 1 + static_cast<int>(random() % 30));
        const int scale = 1 + static_cast<int>(random() % 16);
        const int threshold = static_cast<int>(random() % 255);
        Slant slant = random() % 2 == 0 ? Slant{} : measure_slant(image.view());
        if (random() % 4 == 0) slant.shear = static_cast<double>(random() % 2001) / 1000 - 1;
        resampler.run(image.view(), scale, slant, threshold, result);
        BinaryImage expected;
        expected.threshold(ReferenceResampler::run(image.view(), scale, slant).view(), threshold);
        ASSERT_EQ(result.width(), expected.width());
        ASSERT_EQ(result.height(), expected.height());
        ASSERT_EQ(result.top(), expected.top());
        ASSERT_EQ(result.bottom(), expected.bottom());
        for (int y = 0; y < result.height(); ++y) {
            ASSERT_TRUE(std::ranges::equal(result.bits(y), expected.bits(y)))
                << width << " x " << image.height << ", scale " << scale << ", shear " << slant.shear;
            ASSERT_TRUE(std::equal(result.row(y), result.row(y) + result.stride(), expected.row(y)));
        }
    }
}

} // namespace
} // namespace sprig
