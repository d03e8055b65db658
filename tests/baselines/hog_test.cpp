#include "lab/baselines/stored_images.h"

#include <numeric>
#include <random>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::baselines {
namespace {

constexpr std::size_t side = 28;
constexpr std::size_t block_size = 4 * hog_bins;
using Numbers = std::vector<float>;

template <class Value>
Numbers image_of(Value value) {
    Numbers image;
    for (std::size_t y = 0; y < side; ++y) {
        for (std::size_t x = 0; x < side; ++x) image.push_back(value(x, y));
    }
    return image;
}

Numbers block(const Numbers& features, std::size_t number) {
    const auto begin = features.begin() + static_cast<std::ptrdiff_t>(number * block_size);
    return {begin, begin + block_size};
}

/// The sum over all cells of all blocks.
Numbers by_bin(const Numbers& features) {
    Numbers sums(hog_bins);
    for (std::size_t i = 0; i < features.size(); ++i) sums[i % hog_bins] += features[i];
    return sums;
}

Numbers random_image() {
    std::mt19937 random(4);
    return image_of([&](auto, auto) { return static_cast<float>(random() % 256) / 255; });
}

TEST(Hog, NineBlocksOfFourCells) {
    EXPECT_EQ(hog_size(side), 324U);
    EXPECT_EQ(hog(random_image(), side).size(), 324U);
    EXPECT_EQ(hog_size(14), 36U);
    for (const std::size_t refused : std::vector<std::size_t>{0, 7, 27, 29})
        EXPECT_THROW((void)hog_size(refused), Error);
}

TEST(Hog, AHorizontalEdgeIsInTheMiddleBin) {
    // The gradient points down, at 90 degrees: the centre of bin 4.
    const Numbers sums = by_bin(hog(image_of([](auto, auto y) { return y < 16 ? 0.0F : 1.0F; }), side));
    for (std::size_t bin = 0; bin < hog_bins; ++bin) {
        if (bin == 4) {
            EXPECT_GT(sums[bin], 1);
        } else {
            EXPECT_NEAR(sums[bin], 0, 1e-4) << bin;
        }
    }
}

TEST(Hog, AVerticalEdgeIsSharedByTheFirstBinAndTheLast) {
    // At 0 or 180 degrees: between bin 8 and bin 0.
    for (const float left : {0.0F, 1.0F}) {
        const Numbers sums =
            by_bin(hog(image_of([&](auto x, auto) { return x < 16 ? left : 1 - left; }), side));
        EXPECT_GT(sums[0], 1);
        EXPECT_NEAR(sums[0], sums[8], 1e-4);
        EXPECT_NEAR(std::accumulate(sums.begin() + 1, sums.end() - 1, 0.0F), 0, 1e-4);
    }
}

TEST(Hog, AGradientComputedByHand) {
    const auto slope = [](auto x, auto y) { return static_cast<float>(x + y) / 56; };
    // At 45 degrees: a quarter in bin 1 and three quarters in bin 2, equal in all four cells of the middle
    // block, which the border does not reach. Normalised that is 1 / sqrt(40) and 3 / sqrt(40), the latter
    // clipped to 0.2.
    const double length = 2 * std::sqrt((1 / 40.0) + 0.04);
    const Numbers middle = block(hog(image_of(slope), side), 4);
    for (std::size_t i = 0; i < block_size; ++i) {
        const double clipped = i % hog_bins == 1 ? 1 / std::sqrt(40.0) : i % hog_bins == 2 ? 0.2 : 0;
        EXPECT_NEAR(middle[i], clipped / length, 1e-4) << i;
    }
}

TEST(Hog, OnlyBlocksNearAnEdgeAreNotZero) {
    // The only edge is at the lower right: the blocks at the upper left are empty.
    const Numbers features =
        hog(image_of([](auto x, auto y) { return x >= 26 && y >= 26 ? 1.0F : 0.0F; }), side);
    for (const std::size_t empty : std::vector<std::size_t>{0, 1, 2, 3, 4, 6})
        EXPECT_THAT(block(features, empty), testing::Each(0));
    EXPECT_THAT(block(features, 8), testing::Contains(testing::Gt(0)));
}

TEST(Hog, EveryBlockHasUnitLength) {
    const Numbers features = hog(random_image(), side);
    for (std::size_t number = 0; number < 9; ++number) {
        const Numbers values = block(features, number);
        EXPECT_NEAR(std::inner_product(values.begin(), values.end(), values.begin(), 0.0), 1, 1e-5);
    }
    EXPECT_THAT(hog(Numbers(side * side, 0.5F), side), testing::Each(0));
}

TEST(Hog, ContrastDoesNotMatter) {
    const Numbers image = random_image();
    const Numbers features = hog(image, side);
    Numbers fainter;
    Numbers inverted;
    for (const float pixel : image) {
        fainter.push_back(0.3F + (0.2F * pixel));
        inverted.push_back(1 - pixel);
    }
    EXPECT_THAT(hog(fainter, side), testing::Pointwise(testing::FloatNear(1e-4F), features));
    EXPECT_THAT(hog(inverted, side), testing::Pointwise(testing::FloatNear(1e-4F), features));
}

} // namespace
} // namespace sprig::baselines
