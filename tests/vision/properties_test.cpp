// Properties that hold for any shape, tested on random shapes. tests/vision/mnist_test.cpp tests them on
// MNIST.

#include "support/properties.h"

#include <gmock/gmock.h>

#include "support/exhaustive.h"

namespace sprig {
namespace {

using namespace test;

/// Calls `check` with random shapes of many sizes.
template <class Check>
void for_random_shapes(Check check) {
    const std::uint32_t count = exhaustive() ? 4000 : 300;
    for (std::uint32_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        check(random_shape(seed, 6 + static_cast<int>(seed % 23)));
    }
}

std::vector<FrontEndParams> many_params() {
    std::vector<FrontEndParams> result;
    for (const int directions : {2, 4, 6, 8}) {
        for (const int min_contour : {0, 10}) {
            result.push_back({.directions = directions, .min_contour = min_contour});
        }
    }
    result.push_back({.directions = 4, .min_contour = 0, .min_persistence = 1.5});
    return result;
}

TEST(Properties, NetworksAreValid) {
    for (FrontEndParams params : many_params()) {
        for (const int scale : {1, 3}) {
            params.scale = scale;
            FrontEnd front_end(params);
            for_random_shapes([&](const Image& image) { front_end(image.view()).check(); });
        }
    }
}

TEST(Properties, NodesMoveWithTheShape) {
    for (const FrontEndParams& params : many_params()) {
        FrontEnd front_end(params);
        for_random_shapes([&](const Image& image) { expect_translation_equivariant(image, front_end); });
    }
}

TEST(Properties, MirroringAndTurningMapTheNetwork) {
    int without_ties = 0;
    for (const FrontEndParams& params : many_params()) {
        if (params.min_persistence > 0) continue; // ties decide which pairs are dropped
        FrontEnd front_end(params);
        for_random_shapes([&](const Image& image) {
            without_ties += expect_symmetric(image, mirror, front_end) ? 1 : 0;
            without_ties += expect_symmetric(image, quarter_turn, front_end) ? 1 : 0;
        });
    }
    EXPECT_GT(without_ties, 50) << "the whole network must have been compared often enough";
}

TEST(Properties, EveryLevelMatchesTheReference) {
    for (const FrontEndParams& params : many_params()) {
        FrontEnd front_end(params);
        if (params.min_persistence > 0) continue; // the reference cannot know what was dropped
        for_random_shapes([&](const Image& image) {
            const Network network = front_end(image.view());
            // The reference is slow: with many directions, only test the smaller networks.
            if (params.directions == 2 || network.node_count() <= 100) expect_matches_reference(network);
        });
    }
}

TEST(Properties, TheFinestLevelIsPartOfTheWhole) {
    for (const FrontEndParams& params : many_params()) {
        FrontEnd front_end(params);
        for_random_shapes(
            [&](const Image& image) { expect_finest_is_subset(image, front_end(image.view()), params); });
    }
}

TEST(Properties, MaximaAndMinimaAlternateAndPersist) {
    FrontEnd front_end({.directions = 6, .min_contour = 0});
    for_random_shapes([&](const Image& image) {
        const Network network = front_end(image.view());
        for (NodeId n = 0; n < network.node_count(); ++n) {
            const ChangeKind kind = ChangeKind::from_index(network.type(n));
            NodeId following = network.next(n);
            while (ChangeKind::from_index(network.type(following)).direction != kind.direction) {
                following = network.next(following);
            }
            EXPECT_NE(ChangeKind::from_index(network.type(following)).maximum, kind.maximum);
            EXPECT_GT(network.attribute(n, 0), 0);
            EXPECT_GE(network.attribute(n, 1), 0);
            EXPECT_LE(network.attribute(n, 1), 1.4143);
        }
    });
}

TEST(Properties, NetworksDoNotDependOnEarlierImages) {
    FrontEnd used({.scale = 2, .deskew = true, .directions = 4});
    for_random_shapes([&](const Image& image) {
        FrontEnd fresh({.scale = 2, .deskew = true, .directions = 4});
        const Network expected = fresh(image.view());
        std::vector<std::uint8_t> shifted(image.pixels.size() + 3, 255);
        std::copy(image.pixels.begin(), image.pixels.end(), shifted.begin() + 3);
        EXPECT_EQ(used({shifted.data() + 3, image.width, image.height}), expected);
    });
}

TEST(Properties, LargeNetworks) {
    // A comb of 300 teeth has more nodes than any fixed-size form would hold.
    Image comb(601, 8);
    for (int x = 0; x < comb.width; ++x) {
        for (int y = x % 2 == 0 ? 0 : 6; y < 8; ++y) comb.at(x, y) = 255;
    }
    const Network network = FrontEnd()(comb.view());
    EXPECT_GT(network.node_count(), 600U);
    network.check();
    expect_matches_reference(network);
}

} // namespace
} // namespace sprig
