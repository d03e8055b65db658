#include "lab/made_images.h"

#include <algorithm>

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

} // namespace
} // namespace sprig::lab
