#include "lab/baselines/nearest_class.h"

#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/online_methods.h"
#include "lab/baselines/stored_images.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

using testing::ElementsAre;

Row grey(int level) {
    return {static_cast<float>(level) / 255};
}

std::vector<std::size_t> ranked(Strategy& strategy, const Row& image, std::size_t most) {
    std::vector<std::vector<std::size_t>> answers;
    strategy.rank(samples({image}), most, answers);
    return answers.front();
}

TEST(NearestClass, RanksClassesByTheirNearestSample) {
    const auto method = make_nearest_pixels({.width = 1, .side = 1, .classes = 3});
    method->observe(samples({grey(10), grey(200)}), 1);
    method->observe(samples({grey(50)}), 0);
    method->observe(samples({grey(90)}), 2);
    EXPECT_EQ(predict_one(*method, grey(60)), 0U);
    EXPECT_THAT(ranked(*method, grey(60), 3), ElementsAre(0, 2, 1));
    EXPECT_THAT(ranked(*method, grey(60), 2), ElementsAre(0, 2));
    EXPECT_THAT(ranked(*method, grey(190), 3), ElementsAre(1, 2, 0));
    EXPECT_EQ(method->memory_use().data, 4U * (1 + 4));
    EXPECT_EQ(method->memory_use().images, 4U);
}

TEST(NearestClass, TheFirstOfARankingIsTheAnswer) {
    constexpr std::size_t classes = 300; // more than a label of one byte has
    Clouds clouds(16, classes, 1);
    const auto nearest = make_nearest_pixels({.width = 16, .side = 4, .classes = classes});
    const auto lda = make_random_feature_lda({.width = 16, .side = 4, .classes = classes}, 20, 10);
    for (Strategy* method : {nearest.get(), lda.get()}) {
        for (std::size_t label = 0; label + 10 < classes; ++label)
            method->observe(clouds.draw(label, 2), label);
        int right = 0;
        for (std::size_t label = 0; label + 10 < classes; label += 7) {
            const Samples image = clouds.draw(label, 1, 0.05F);
            const Row row(image.row(0).begin(), image.row(0).end());
            const std::vector<std::size_t> five = ranked(*method, row, 5);
            EXPECT_EQ(five.size(), 5U);
            EXPECT_EQ(five.front(), predict_one(*method, row));
            for (const std::size_t other : five) EXPECT_LT(other, classes - 10) << "a class never seen";
            if (five.front() == label) ++right;
        }
        EXPECT_GT(right, 20);
    }
}

TEST(NearestClass, HogIsStoredInPlaceOfTheImage) {
    constexpr std::size_t side = 14;
    const Task task = {.width = side * side, .side = side, .classes = 2};
    const auto method = make_nearest_hog(task);
    Row upright(side * side);
    Row lying(side * side);
    for (std::size_t i = 0; i < side; ++i) {
        upright[(i * side) + 7] = 1;
        lying[(7 * side) + i] = 1;
    }
    method->observe(samples({upright}), 1);
    method->observe(samples({lying}), 0);
    EXPECT_EQ(predict_one(*method, upright), 1U);
    EXPECT_EQ(predict_one(*method, lying), 0U);
    EXPECT_EQ(method->memory_use().data, 2 * (hog_size(side) + 4));
    EXPECT_THROW((void)make_nearest_hog({.width = 100, .side = 10, .classes = 2}), Error);
}

TEST(Rankings, TheGreatestFirstAndOfEqualsTheFirst) {
    const std::vector<double> values = {1, 3, 2, 3};
    EXPECT_THAT(greatest(std::span<const double>(values), 3), ElementsAre(1, 3, 2));
    EXPECT_THAT(greatest(std::span<const double>(values), 9), ElementsAre(1, 3, 2, 0));
}

} // namespace
} // namespace sprig::baselines
