#include <gtest/gtest.h>

#include "sprig/error.h"
#include "sprig/image.h"

namespace sprig {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(ToGrey, KeepsGreyLevels) {
    EXPECT_EQ(to_grey({2, 1, 1, {10, 200}}).pixels, (Bytes{10, 200}));
    EXPECT_EQ(to_grey({2, 1, 1, {10, 200}}, true).pixels, (Bytes{245, 55}));
}

TEST(ToGrey, UsesTheLuminanceOfColours) {
    EXPECT_EQ(to_grey({4, 1, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}}).pixels,
              (Bytes{76, 150, 29, 255}));
}

TEST(ToGrey, TransparentPixelsBecomeBackground) {
    EXPECT_EQ(to_grey({3, 1, 2, {200, 255, 200, 0, 100, 128}}).pixels, (Bytes{200, 0, 50}));
    EXPECT_EQ(to_grey({1, 1, 4, {255, 255, 255, 51}}).pixels, (Bytes{51}));
    EXPECT_EQ(to_grey({1, 1, 2, {200, 0}}, true).pixels, (Bytes{0}));
    EXPECT_EQ(composite_over({1, 1, 2, {200, 0}}, 255).pixels, (Bytes{255}));
}

TEST(ToGrey, RejectsInvalidPictures) {
    EXPECT_THROW((void)to_grey({2, 2, 1, {1, 2, 3}}), Error);
    EXPECT_THROW((void)to_grey({0, 2, 1, {}}), Error);
    EXPECT_THROW((void)to_grey({1, 1, 5, {1, 2, 3, 4, 5}}), Error);
    EXPECT_THROW((void)to_grey({-1, -1, 1, {1}}), Error);
}

} // namespace
} // namespace sprig
