#include "vision/resample.h"

#include <gmock/gmock.h>

#include "sprig/front_end.h"
#include "support/shapes.h"

namespace sprig {
namespace {

using testing::ElementsAre;

TEST(Resample, ScaleOneChangesNothing) {
    const Image image = test::random_shape(7, 12);
    Image result;
    Resampler().run(image.view(), 1, {}, result);
    EXPECT_EQ(result, image);
}

TEST(Resample, InterpolatesBetweenPixelCentres) {
    Image image(2, 1);
    image.at(0, 0) = 100;
    image.at(1, 0) = 200;
    Image result;
    Resampler().run(image.view(), 2, {}, result);
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
        Image result;
        Resampler().run(image.view(), scale, {}, result);
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

    Image upright;
    Resampler().run(bar.view(), 1, measure_slant(bar.view()), upright);
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

} // namespace
} // namespace sprig
