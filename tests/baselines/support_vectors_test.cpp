#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/stored_images.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

constexpr Task points = {.width = 2, .classes = 3};

void teach_exclusive_or(Strategy& method) {
    method.observe(samples({{0, 0}, {1, 1}, {0.1F, 0}, {1, 0.9F}}), 1);
    method.observe(samples({{0, 1}, {1, 0}, {0, 0.9F}, {0.9F, 0}}), 2);
}

TEST(SupportVectors, ARadialKernelLearnsExclusiveOr) {
    const auto method = make_pixel_support_vectors(points, {100, 5});
    teach_exclusive_or(*method);
    EXPECT_THAT(predict(*method, samples({{0.05F, 0.05F}, {0.95F, 0.95F}})), testing::Each(1U));
    EXPECT_THAT(predict(*method, samples({{0.05F, 0.95F}, {0.95F, 0.05F}})), testing::Each(2U));
}

TEST(SupportVectors, ALinearKernelCannot) {
    const auto method = make_pixel_support_vectors(points, {100, 0});
    teach_exclusive_or(*method);
    EXPECT_NE(predict(*method, samples({{0, 0}, {1, 1}, {0, 1}, {1, 0}})),
              (std::vector<std::size_t>{1, 1, 2, 2}));
    const auto separable = make_pixel_support_vectors(points, {100, 0});
    separable->observe(samples({{0, 0}, {0, 1}}), 0);
    separable->observe(samples({{1, 0}, {1, 1}}), 2);
    EXPECT_EQ(predict_one(*separable, {0.49F, 0.5F}), 0U); // the decision boundary is in the middle
    EXPECT_EQ(predict_one(*separable, {0.51F, 0.5F}), 2U);
}

TEST(SupportVectors, AreFittedAgainAfterNewImages) {
    const auto method = make_pixel_support_vectors(points, {100, 5});
    method->observe(samples({{0, 0}}), 1);
    EXPECT_EQ(predict_one(*method, {1, 1}), 1U);
    method->observe(samples({{1, 1}}), 2);
    EXPECT_EQ(predict_one(*method, {1, 0.9F}), 2U);
    method->observe(samples({{1, 0.8F}}), 0);
    EXPECT_EQ(predict_one(*method, {1, 0.85F}), 0U);
    EXPECT_EQ(predict_one(*method, {1, 1}), 2U);
}

TEST(SupportVectors, OnGradientsOnlyTheDirectionOfALineMatters) {
    constexpr std::size_t side = 14;
    const auto line = [](bool vertical, std::size_t place, float ink) {
        Row image(side * side);
        for (std::size_t i = 0; i < side; ++i)
            image[vertical ? (i * side) + place : (place * side) + i] = ink;
        return image;
    };
    for (const SupportVectorOptions& options : {SupportVectorOptions{1, 0}, SupportVectorOptions{10, 0.2}}) {
        const auto method =
            make_hog_support_vectors({.width = side * side, .side = side, .classes = 2}, options);
        method->observe(samples({line(true, 6, 1), line(true, 8, 1)}), 0);
        method->observe(samples({line(false, 6, 1), line(false, 8, 1)}), 1);
        EXPECT_THAT(predict(*method, samples({line(true, 7, 0.2F), line(true, 9, 1)})), testing::Each(0U));
        EXPECT_THAT(predict(*method, samples({line(false, 7, 0.2F), line(false, 9, 1)})), testing::Each(1U));
    }
}

TEST(SupportVectors, PrintNothing) {
    testing::internal::CaptureStdout();
    const auto method = make_pixel_support_vectors(points, {100, 5});
    teach_exclusive_or(*method);
    (void)predict_one(*method, {0, 0});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(SupportVectors, KeepAllImagesAndNothingElse) {
    const auto method = make_hog_support_vectors({.width = 784, .side = 28, .classes = 10}, {3, 0.3});
    method->observe(samples({Row(784), Row(784)}), 3);
    method->observe(samples({Row(784)}), 9);
    (void)predict_one(*method, Row(784));
    EXPECT_EQ(method->memory_use().images, 3U);
    EXPECT_EQ(method->memory_use().data, 3U * (784 + 1));
    EXPECT_EQ(method->memory_use().model, 0U);
}

TEST(SupportVectors, RejectWrongOptions) {
    EXPECT_THROW((void)make_pixel_support_vectors(points, {0, 1}), Error);
    EXPECT_THROW((void)make_pixel_support_vectors(points, {1, -1}), Error);
    EXPECT_THROW((void)make_hog_support_vectors({.width = 100, .side = 10, .classes = 2}, {3, 0.3}), Error);
    EXPECT_THROW((void)make_hog_support_vectors({.width = 100, .side = 14, .classes = 2}, {3, 0.3}), Error);
}

} // namespace
} // namespace sprig::baselines
