// After a few images the front end does not allocate.

#include <gtest/gtest.h>

#include "sprig/front_end.h"
#include "support/allocations.h"
#include "support/shapes.h"

namespace sprig {
namespace {

/// The allocations of a front end for images that it has seen before.
long allocations_with(const FrontEndParams& params) {
    std::vector<Image> images;
    for (std::uint32_t seed = 0; seed < 200; ++seed) images.push_back(test::random_shape(seed, 28));
    FrontEnd front_end(params);
    Network network(front_end.schema());
    long count = 0;
    for (int round = 0; round < 2; ++round) {
        const long before = test::allocations();
        for (const Image& image : images) front_end.extract(image.view(), network);
        count = test::allocations() - before;
        if (round == 0) {
            EXPECT_GT(count, 0) << "nothing was counted";
        }
    }
    return count;
}

TEST(Allocations, EndAfterAFewImages) {
    for (const int directions : {2, 6}) {
        for (const double min_persistence : {0.0, 2.0}) {
            for (const bool relations : {false, true}) {
                EXPECT_EQ(allocations_with({.directions = directions,
                                            .min_persistence = min_persistence,
                                            .relations = relations}),
                          0);
            }
        }
    }
}

TEST(Allocations, EndWithScaling) {
    EXPECT_EQ(allocations_with({.scale = 3, .deskew = true, .directions = 4}), 0);
}

TEST(Allocations, EndWithMeasuresWithoutSpecks) {
    EXPECT_EQ(allocations_with({.resolution = 84,
                                .deskew = true,
                                .slant_damping = 0.5,
                                .min_part = 0.04,
                                .frame = FrontEndParams::Frame::ink,
                                .relations = false}),
              0);
}

} // namespace
} // namespace sprig
