#include "lab/baselines/stored_images.h"

#include <gmock/gmock.h>

#include "baselines/support.h"

namespace sprig::baselines {
namespace {

using testing::ElementsAre;

TEST(StoredImages, EveryGreyLevelIsStoredExactly) {
    Row levels;
    for (int grey = 0; grey < 256; ++grey) levels.push_back(static_cast<float>(grey) / 255.0F);
    StoredImages stored({.width = 256, .classes = 2});
    stored.add(samples({levels}), 1);
    for (std::size_t grey = 0; grey < 256; ++grey) EXPECT_EQ(stored.pixels(0)[grey], grey);
}

TEST(StoredImages, OtherValuesAreRoundedAndClamped) {
    StoredImages stored({.width = 4, .classes = 2});
    stored.add(samples({{10.4F / 255, 10.6F / 255, -0.5F, 1.5F}}), 1);
    EXPECT_THAT(stored.pixels(0), ElementsAre(10, 11, 0, 255));
}

TEST(StoredImages, KeepTheirOrder) {
    StoredImages stored({.width = 2, .classes = 256});
    stored.add(samples({{0, 1}, {1, 0}}), 255);
    stored.add(samples({{1, 1}}), 3);
    ASSERT_EQ(stored.size(), 3U);
    EXPECT_THAT(stored.pixels(1), ElementsAre(255, 0));
    EXPECT_THAT(stored.pixels(2), ElementsAre(255, 255));
    EXPECT_EQ(stored.label(1), 255U);
    EXPECT_EQ(stored.label(2), 3U);
    EXPECT_EQ(stored.memory_use().data, 9U);
    EXPECT_EQ(stored.memory_use().images, 3U);
}

} // namespace
} // namespace sprig::baselines
