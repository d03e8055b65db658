// The contours of ContourFinder are those of cv::findContours: every point, their order and the nesting.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sprig/data.h"
#include "support/exhaustive.h"
#include "support/opencv_contours.h"
#include "support/shapes.h"
#include "vision/bytes16.h"
#include "vision/contours.h"
#include "vision/ink_moments.h"
#include "vision/ink_runs.h"

namespace sprig {
namespace {

using namespace test;

/// One finder for all images, as the front end has: its memory must not matter.
struct Finder {
    BinaryImage binary;
    ContourFinder finder;

    std::vector<PlainContour> find(const Image& image, int threshold = 127, std::size_t min_points = 0) {
        binary.threshold(image.view(), threshold);
        return plain_contours(finder.find(binary, min_points));
    }
    [[nodiscard]] std::span<const TracedContour> last() { return finder.find(binary, 0); }
};

void expect_steps_lead_to_the_next_point(const TracedContour& contour) {
    for (std::size_t i = 0; i < contour.size && contour.size > 1; ++i) {
        const PixelPoint from = contour.point(i);
        const PixelPoint to = contour.point(i + 1 < contour.size ? i + 1 : 0);
        const PixelPoint offset = step_offsets[contour.step(i)];
        ASSERT_EQ((PixelPoint{from.x + offset.x, from.y + offset.y}), to);
        ASSERT_EQ(contour.point(i + 1), to) << "the first point is repeated at the end";
        ASSERT_EQ(contour.step(i + 1), contour.step(i + 1 < contour.size ? i + 1 : 0));
    }
}

void expect_equal_to_opencv(const Image& image, Finder& finder) {
    ASSERT_EQ(finder.find(image), opencv_contours(image)) << image.width << " x " << image.height;
    for (const TracedContour& contour : finder.last()) expect_steps_lead_to_the_next_point(contour);
}

Image random_pixels(std::mt19937& random, int width, int height, unsigned long share) {
    Image image(width, height);
    for (std::uint8_t& v : image.pixels) v = random() % 100 < share ? 255 : 0;
    return image;
}

TEST(Contours, OfRandomImagesOfAllSizesAreOpenCvs) {
    std::mt19937 random(1);
    Finder finder;
    const int images = exhaustive() ? 100000 : 6000;
    for (int i = 0; i < images && !testing::Test::HasFailure(); ++i) {
        const int width = 1 + static_cast<int>(random() % 70);
        const int height = 1 + static_cast<int>(random() % 70);
        expect_equal_to_opencv(random_pixels(random, width, height, 1 + (random() % 99)), finder);
    }
}

TEST(Contours, OfShapesAreOpenCvs) {
    Finder finder;
    for (std::uint32_t seed = 0; seed < (exhaustive() ? 20000U : 1000U); ++seed) {
        expect_equal_to_opencv(random_shape(seed, 20 + static_cast<int>(seed % 60)), finder);
        if (testing::Test::HasFailure()) break;
    }
}

TEST(Contours, OfLargeImagesAreOpenCvs) {
    std::mt19937 random(2);
    Finder finder;
    for (int i = 0; i < (exhaustive() ? 400 : 20) && !testing::Test::HasFailure(); ++i) {
        const int width = 1 + static_cast<int>(random() % 500);
        const int height = 1 + static_cast<int>(random() % 500);
        expect_equal_to_opencv(random_pixels(random, width, height, 1 + (random() % 99)), finder);
    }
}

/// Rings of one pixel around each other.
Image nested_rings(int count) {
    const int side = (4 * count) + 1;
    Image image(side, side);
    for (int ring = 0; ring < count; ++ring) {
        const int low = 2 * ring;
        const int high = side - 1 - low;
        for (int i = low; i <= high; ++i)
            image.at(i, low) = image.at(i, high) = image.at(low, i) = image.at(high, i) = 255;
    }
    return image;
}

Image spiral(int side) {
    Image image(side, side);
    int x = 0;
    int y = 0;
    int length = side - 1;
    for (int turn = 0; length > 0; ++turn) {
        constexpr std::array<PixelPoint, 4> towards = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
        const PixelPoint d = towards[static_cast<std::size_t>(turn % 4)];
        for (int i = 0; i < length; ++i, x += d.x, y += d.y) image.at(x, y) = 255;
        if (turn % 2 == 1) length -= 2;
    }
    return image;
}

Image comb(int width, int height, bool upright) {
    Image image(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool back = upright ? y == 0 : x == 0;
            const bool tooth = (upright ? x : y) % 2 == 0;
            if (back || tooth) image.at(x, y) = 255;
        }
    }
    return image;
}

TEST(Contours, OfDifficultImagesAreOpenCvs) {
    Finder finder;
    for (const int size : {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200}) {
        SCOPED_TRACE(size);
        expect_equal_to_opencv(Image(size, size), finder);
        expect_equal_to_opencv(Image(size, size, 255), finder);
        expect_equal_to_opencv(Image(size, 1, 255), finder);
        expect_equal_to_opencv(Image(1, size, 255), finder);
        expect_equal_to_opencv(comb(size, 7, true), finder);
        expect_equal_to_opencv(comb(7, size, false), finder);
        expect_equal_to_opencv(spiral(size), finder);
        for (const int period : {2, 3}) {
            Image board(size, size);
            for (int y = 0; y < size; ++y) {
                for (int x = 0; x < size; ++x) board.at(x, y) = (x + y) % period == 0 ? 255 : 0;
            }
            expect_equal_to_opencv(board, finder);
        }
        if (testing::Test::HasFailure()) break;
    }
}

TEST(Contours, OfRingsAreNested) {
    Finder finder;
    const Image rings = nested_rings(100);
    expect_equal_to_opencv(rings, finder);
    const std::span<const TracedContour> contours = finder.last();
    ASSERT_EQ(contours.size(), 200U);
    int deepest = 0;
    for (const TracedContour& contour : contours) deepest = std::max(deepest, contour.depth);
    EXPECT_EQ(deepest, 199);
}

TEST(Contours, OfMnistAreOpenCvs) {
    const Dataset mnist = load_dataset("mnist:all");
    Finder finder;
    for (std::size_t i = 0; i < mnist.size() && !testing::Test::HasFailure(); i += exhaustive() ? 1 : 23) {
        SCOPED_TRACE(mnist.name(i));
        Image image(mnist.image(i));
        for (std::uint8_t& v : image.pixels) v = v > 127 ? 255 : 0;
        expect_equal_to_opencv(image, finder);
    }
}

TEST(Contours, AreDroppedByTheirNumberOfPoints) {
    Finder finder;
    const Image image = from_art({"#.......", "..####..", "..#..#..", "..####.."});
    const std::vector<PlainContour> all = finder.find(image);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(finder.find(image, 127, 2).size(), 2U);
    const std::vector<PlainContour> longest = finder.find(image, 127, 10);
    ASSERT_EQ(longest.size(), 1U);
    EXPECT_EQ(longest.front(), all[1]);
}

TEST(Contours, HaveTheInkAboveTheThreshold) {
    Finder finder;
    for (const int width : {3, 20, 70}) {
        for (int threshold = 0; threshold < 255; ++threshold) {
            Image image(width, 3);
            image.at(1, 1) = static_cast<std::uint8_t>(threshold);
            image.at(width - 1, 0) = static_cast<std::uint8_t>(threshold + 1);
            const std::vector<PlainContour> found = finder.find(image, threshold);
            ASSERT_EQ(found.size(), 1U);
            ASSERT_EQ(found.front().points, (std::vector<PixelPoint>{{width - 1, 0}}));
        }
    }
}

TEST(InkRuns, AreThoseOfEachRow) {
    std::mt19937 random(3);
    BinaryImage binary;
    InkRuns runs;
    for (int i = 0; i < 2000; ++i) {
        const int width = 1 + static_cast<int>(random() % 300);
        const int height = 1 + static_cast<int>(random() % 4);
        const Image image = random_pixels(random, width, height, random() % 8 == 0 ? 100 : random() % 100);
        binary.threshold(image.view(), 0);
        runs.find(binary);
        std::vector<InkRun> expected;
        for (int y = binary.top(); y < binary.bottom(); ++y) {
            ASSERT_EQ(runs.first(y), expected.size());
            for (int x = 0; x < width; ++x) {
                if (image.at(x, y) == 0) continue;
                const auto at = static_cast<std::uint16_t>(x);
                if (x == 0 || image.at(x - 1, y) == 0) expected.push_back({at, at});
                expected.back().last = at;
                ASSERT_EQ(runs.at(x, y), expected.size() - 1);
            }
        }
        ASSERT_EQ(runs.first(binary.bottom()), expected.size());
        ASSERT_TRUE(std::ranges::equal(runs.all(), expected));
    }
}

TEST(InkMoments, AreThoseOfEveryPixel) {
    std::mt19937 random(6);
    BinaryImage binary;
    for (int i = 0; i < 300; ++i) {
        const int width = 1 + static_cast<int>(random() % 200);
        const int height = 1 + static_cast<int>(random() % 100);
        const Image image = random_pixels(random, width, height, random() % 8 == 0 ? 100 : 1 + random() % 99);
        binary.threshold(image.view(), 0);
        double count = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int v = 0; v < height; ++v) {
            for (int u = 0; u < width; ++u) {
                if (image.at(u, v) == 0) continue;
                count += 1;
                x += u;
                y += v;
                xx += u * u;
                xy += u * v;
                yy += v * v;
            }
        }
        if (count == 0) continue;
        const InkMoments ink = measure_ink(binary);
        x /= count;
        y /= count;
        const double variance_x = (xx / count) - (x * x);
        const double variance_y = (yy / count) - (y * y);
        ASSERT_EQ(ink.x, x);
        ASSERT_EQ(ink.y, y);
        ASSERT_EQ(ink.radius, std::sqrt(std::max(0.0, variance_x + variance_y)));
        ASSERT_EQ(ink.doubled_cosine, variance_x - variance_y);
        ASSERT_EQ(ink.doubled_sine, 2 * ((xy / count) - (x * y)));
    }
}

TEST(Bytes16, MaskIsTheSameInPlainCode) {
    std::mt19937 random(4);
    for (int i = 0; i < 10000; ++i) {
        std::array<std::uint8_t, 16> bytes{};
        std::uint32_t expected = 0;
        for (unsigned b = 0; b < bytes.size(); ++b) {
            bytes[b] = random() % 2 == 0 ? 0 : 255;
            if (bytes[b] != 0) expected |= 1U << b;
        }
        ASSERT_EQ(mask_of(load_bytes(bytes.data())), expected);
        ASSERT_EQ(plain_mask_of(load_bytes(bytes.data())), expected);
    }
}

TEST(Bytes16, SumIsTheSameInPlainCode) {
    std::mt19937 random(5);
    for (int i = 0; i < 10000; ++i) {
        std::array<std::uint8_t, 16> bytes{};
        std::uint32_t expected = 0;
        for (std::uint8_t& byte : bytes) {
            byte = i == 0 ? 255 : static_cast<std::uint8_t>(random());
            expected += byte;
        }
        ASSERT_EQ(sum_of(load_bytes(bytes.data())), expected);
        ASSERT_EQ(plain_sum_of(load_bytes(bytes.data())), expected);
    }
}

} // namespace
} // namespace sprig
