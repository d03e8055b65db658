#include "lab/baselines/streaming_lda.h"

#include <gmock/gmock.h>

#include "baselines/support.h"

namespace sprig::baselines {
namespace {

constexpr std::size_t pixels = 50;
constexpr std::size_t features = 2000;

Eigen::VectorXf features_of(const Row& image, std::uint64_t seed) {
    Eigen::VectorXf result;
    RandomFeatures(image.size(), features, seed)(image, result);
    return result;
}

TEST(RandomFeatures, AreDeterminedByTheSeed) {
    const Row image(pixels, 0.5F);
    EXPECT_EQ(features_of(image, 3), features_of(image, 3));
    EXPECT_NE(features_of(image, 3), features_of(image, 4));
}

TEST(RandomFeatures, AreRectifiedLinearUnits) {
    const Row one(pixels, 0.5F);
    const Row twice(pixels, 1.0F);
    const Eigen::VectorXf values = features_of(one, 3);
    EXPECT_EQ(values.size(), static_cast<Eigen::Index>(features));
    EXPECT_GE(values.minCoeff(), 0);
    // Half of them are zero, within four standard errors.
    const auto silent = static_cast<double>((values.array() == 0).count());
    EXPECT_NEAR(silent / features, 0.5, 4 * 0.5 / std::sqrt(features));
    EXPECT_TRUE(features_of(twice, 3).isApprox(2 * values));
    EXPECT_EQ(features_of(Row(pixels), 3).maxCoeff(), 0);
}

TEST(RandomFeatures, WeightsAreUniform) {
    // An image with one pixel gives the positive weights of that pixel: from 0 to sqrt(6 / 50).
    Row image(pixels);
    image[7] = 1;
    const Eigen::VectorXf values = features_of(image, 3);
    const double most = std::sqrt(6.0 / pixels);
    EXPECT_LE(values.maxCoeff(), most);
    EXPECT_GT(values.maxCoeff(), 0.99 * most);
    EXPECT_NEAR(values.squaredNorm() / features, most * most / 6, 0.1 * most * most / 6);
}

} // namespace
} // namespace sprig::baselines
