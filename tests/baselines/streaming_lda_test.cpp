#include <algorithm>

#include <Eigen/LU>
#include <gmock/gmock.h>

#include "baselines/support.h"
#include "lab/baselines/online_methods.h"
#include "sprig/error.h"

namespace sprig::baselines {
namespace {

Eigen::MatrixXd as_matrix(const Samples& images) {
    Eigen::MatrixXd result(images.size(), images.width());
    for (std::size_t i = 0; i < images.size(); ++i) {
        for (std::size_t p = 0; p < images.width(); ++p)
            result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(p)) = double{images.row(i)[p]};
    }
    return result;
}

/// The same formula, computed from all images at once: (n S + prior t I) / (n + prior), where S is the
/// covariance of the n images about the means of their classes and t the mean of its diagonal.
class BatchLda {
  public:
    BatchLda(const std::vector<Samples>& by_class, double prior) {
        const auto width = static_cast<Eigen::Index>(by_class.front().width());
        Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(width, width);
        double count = 0;
        for (const Samples& images : by_class) {
            const Eigen::MatrixXd rows = as_matrix(images);
            means_.emplace_back(rows.colwise().mean());
            const Eigen::MatrixXd off = rows.rowwise() - means_.back();
            scatter += off.transpose() * off;
            count += static_cast<double>(images.size());
        }
        const double variance = scatter.trace() / count / static_cast<double>(width);
        const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(width, width);
        inverse_ = ((scatter + prior * variance * identity) / (count + prior)).inverse();
    }

    /// Half the squared Mahalanobis distance of an image from each mean.
    [[nodiscard]] std::vector<double> distances(const Eigen::RowVectorXd& image) const {
        std::vector<double> result;
        for (const Eigen::RowVectorXd& mean : means_)
            result.push_back((image - mean).dot((image - mean) * inverse_) / 2);
        return result;
    }

  private:
    std::vector<Eigen::RowVectorXd> means_;
    Eigen::MatrixXd inverse_;
};

TEST(StreamingLda, IsTheSameAsBatchLda) {
    Clouds clouds(20, 4, 1);
    std::vector<Samples> by_class;
    for (std::size_t c = 0; c < 4; ++c) by_class.push_back(clouds.draw(c, 10 + (3 * c), 1.2F));
    for (const double prior : {0.5, 20.0, 2000.0}) {
        const auto method = make_streaming_lda({.width = 20, .classes = 4}, prior);
        for (std::size_t c = 0; c < 4; ++c) method->observe(by_class[c], c);
        const BatchLda batch(by_class, prior);
        int compared = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            const Samples probes = clouds.draw(c, 200, 1.6F);
            const std::vector<std::size_t> answers = predict(*method, probes);
            const Eigen::MatrixXd rows = as_matrix(probes);
            for (std::size_t i = 0; i < probes.size(); ++i) {
                std::vector<double> distances = batch.distances(rows.row(static_cast<Eigen::Index>(i)));
                const auto nearest = std::ranges::min_element(distances) - distances.begin();
                std::ranges::sort(distances);
                if (distances[1] - distances[0] < 1e-3) continue; // rounding may decide
                EXPECT_EQ(answers[i], static_cast<std::size_t>(nearest)) << prior;
                ++compared;
            }
        }
        EXPECT_GT(compared, 780);
    }
}

TEST(StreamingLda, DirectionsWithALowVarianceCountMore) {
    const auto method = make_streaming_lda({.width = 2, .classes = 2}, 0.01);
    method->observe(samples({{0, 0.4F}, {1, 0.4F}, {0.5F, 0.38F}, {0.5F, 0.42F}}), 0);
    method->observe(samples({{0, 0.6F}, {1, 0.6F}, {0.5F, 0.58F}, {0.5F, 0.62F}}), 1);
    EXPECT_EQ(predict_one(*method, {1, 0.45F}), 0U);
    EXPECT_EQ(predict_one(*method, {0, 0.55F}), 1U);
}

TEST(StreamingLda, WithOneImageOfEachClassItIsTheNearestMean) {
    const auto method = make_streaming_lda({.width = 2, .classes = 3}, 1500);
    method->observe(samples({{0, 0}}), 0);
    method->observe(samples({{1, 0}}), 2);
    EXPECT_EQ(predict_one(*method, {0.49F, 1}), 0U);
    EXPECT_EQ(predict_one(*method, {0.51F, 1}), 2U);
}

TEST(StreamingLda, RandomFeaturesSeparateWhatIsNotLinearlySeparable) {
    // The classes have the same mean; they differ in whether the two pixels are equal.
    const Task task = {.width = 2, .classes = 2, .seed = 5};
    const Samples alike = samples({{0.1F, 0.1F}, {1, 1}, {0.2F, 0.2F}, {0.9F, 0.9F}});
    const Samples unlike = samples({{0.1F, 1}, {1, 0.1F}, {0.2F, 0.9F}, {0.9F, 0.2F}});
    const auto method = make_random_feature_lda(task, 100, 0.1);
    method->observe(alike, 0);
    method->observe(unlike, 1);
    EXPECT_THAT(predict(*method, alike), testing::Each(0U));
    EXPECT_THAT(predict(*method, unlike), testing::Each(1U));
}

TEST(StreamingLda, KeepsMeansCountsAndHalfACovariance) {
    const auto on_pixels = make_streaming_lda({.width = 784, .side = 28, .classes = 10}, 1500);
    const auto on_features = make_random_feature_lda({.width = 784, .side = 28, .classes = 10}, 30, 200);
    for (Strategy* method : {on_pixels.get(), on_features.get()}) {
        for (const std::size_t label : Labels{0, 1, 1}) method->observe(samples({Row(784)}), label);
        EXPECT_EQ(method->memory_use().data, 0U);
        EXPECT_EQ(method->memory_use().images, 0U);
    }
    EXPECT_EQ(on_pixels->memory_use().model, 784U * 785 / 2 * 4 + 2 * (784 * 4 + 4));
    EXPECT_EQ(on_features->memory_use().model, 30U * 31 / 2 * 4 + 2 * (30 * 4 + 4));
}

TEST(StreamingLda, NeedsAPriorAndFeatures) {
    EXPECT_THROW((void)make_streaming_lda({.width = 2, .classes = 2}, 0), Error);
    EXPECT_THROW((void)make_random_feature_lda({.width = 2, .classes = 2}, 0, 200), Error);
}

} // namespace
} // namespace sprig::baselines
