#include "lab/baselines/rules.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sprig::baselines {

namespace {

/// An image that differs from others by its number.
std::vector<float> image(std::size_t number) {
    return {static_cast<float>(number), 0};
}

TEST(Buffer, KeepsAllImagesUntilItIsFull) {
    Buffer buffer(Buffer::Policy::reservoir, 3, 0);
    EXPECT_TRUE(buffer.empty());
    for (std::size_t i = 0; i < 3; ++i) buffer.offer(image(i), i);
    EXPECT_THAT(buffer.past().labels, testing::ElementsAre(0, 1, 2));
    EXPECT_EQ(buffer.past().images.row(2)[0], 2);
}

TEST(Buffer, NeverExceedsItsCapacity) {
    for (const Buffer::Policy policy : {Buffer::Policy::reservoir, Buffer::Policy::balanced}) {
        Buffer buffer(policy, 4, 1);
        for (std::size_t i = 0; i < 100; ++i) buffer.offer(image(i), i % 7);
        EXPECT_EQ(buffer.size(), 4);
        EXPECT_EQ(buffer.past().images.size(), 4);
    }
    Buffer none(Buffer::Policy::balanced, 0, 1);
    none.offer(image(0), 0);
    EXPECT_TRUE(none.empty());
}

TEST(Buffer, ReservoirIsAUniformSample) {
    constexpr std::size_t offered = 20;
    constexpr std::size_t capacity = 5;
    constexpr std::uint64_t seeds = 2000;
    std::vector<std::size_t> counts(offered);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Buffer buffer(Buffer::Policy::reservoir, capacity, seed);
        for (std::size_t i = 0; i < offered; ++i) buffer.offer(image(i), i);
        for (const std::size_t label : buffer.past().labels) ++counts[label];
    }
    // Expected: a quarter of the seeds; five standard deviations of the binomial are about 97.
    EXPECT_THAT(counts, testing::Each(testing::AllOf(testing::Gt(400), testing::Lt(600))));
}

TEST(Buffer, BalancedHasTheSameNumberOfEachClass) {
    Buffer buffer(Buffer::Policy::balanced, 9, 3);
    for (std::size_t i = 0; i < 60; ++i) buffer.offer(image(i), 0); // one class fills it
    for (const std::size_t label : {1U, 1U, 1U, 1U, 1U, 2U, 2U, 2U, 2U, 2U}) buffer.offer(image(99), label);
    for (std::size_t label = 0; label < 3; ++label)
        EXPECT_EQ(std::ranges::count(buffer.past().labels, label), 3) << label;
}

TEST(Buffer, AClassWithItsShareReplacesItsOwnImages) {
    Buffer buffer(Buffer::Policy::balanced, 2, 0);
    buffer.offer(image(1), 0);
    buffer.offer(image(2), 1);
    buffer.offer(image(3), 1);
    EXPECT_THAT(buffer.past().labels, testing::ElementsAre(0, 1));
    EXPECT_EQ(buffer.past().images.row(1)[0], 3);
}

TEST(Buffer, NotesStayWithTheirImages) {
    Buffer buffer(Buffer::Policy::reservoir, 3, 5);
    for (std::size_t i = 0; i < 50; ++i)
        buffer.offer(image(i), i, std::vector<float>{static_cast<float>(2 * i)});
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(buffer.past().images.row(i)[0], static_cast<float>(buffer.past().labels[i]));
        EXPECT_EQ(buffer.notes().row(i)[0], 2 * buffer.past().images.row(i)[0]);
    }
}

TEST(Buffer, ReportsItsMemoryUse) {
    Buffer plain(Buffer::Policy::balanced, 8, 0);
    plain.offer(image(0), 0);
    plain.offer(image(1), 1);
    EXPECT_EQ(plain.memory_use().images, 2);
    EXPECT_EQ(plain.memory_use().data, 2 * (2 + 1)); // two pixels and a label
    Buffer noted(Buffer::Policy::reservoir, 8, 0);
    noted.offer(image(0), 0, std::vector<float>{1, 2, 3});
    EXPECT_EQ(noted.memory_use().data, 2 + 1 + (3 * sizeof(float)));
    EXPECT_EQ(noted.memory_use().model, 0);
}

} // namespace

} // namespace sprig::baselines
