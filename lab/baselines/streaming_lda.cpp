#include "lab/baselines/streaming_lda.h"

#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/Cholesky>

#include "lab/baselines/online_methods.h"
#include "core/keyed.h"
#include "sprig/error.h"

namespace sprig::baselines {

RandomFeatures::RandomFeatures(std::size_t pixels, std::size_t features, std::uint64_t seed)
    : weights_(index(features), index(pixels)) {
    if (features == 0) throw usage_error("there must be at least one random feature");
    const std::uint64_t key = random::mix({seed, random::mix("random features")});
    const double range = std::sqrt(6 / static_cast<double>(pixels));
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t f = 0; f < features; ++f) {
            // Uniform and not normal: the sum of so many is normal anyway, and no logarithm or cosine is
            // needed, whose last bits are not the same everywhere.
            const double number = random::uniform(random::mix(key, (pixel * features) + f));
            weights_(index(f), index(pixel)) = static_cast<float>(range * ((2 * number) - 1));
        }
    }
}

void RandomFeatures::operator()(std::span<const float> image, Eigen::VectorXf& features) const {
    features.setZero(weights_.rows());
    for (std::size_t pixel = 0; pixel < image.size(); ++pixel) {
        // Four fifths of a digit's pixels are blank.
        if (image[pixel] != 0) features += image[pixel] * weights_.col(index(pixel));
    }
    features = features.cwiseMax(0.0F);
}

namespace {

class StreamingLda final : public OnlineMethod {
  public:
    /// Without `features` it looks at the pixels themselves.
    StreamingLda(const Task& task, double prior, std::optional<RandomFeatures> features)
        : OnlineMethod(task), prior_(prior), features_(std::move(features)),
          means_(columns(width(), task.classes)), scatter_(columns(width(), width())),
          weights_(columns(width(), task.classes)), offsets_(task.classes) {
        if (!(prior > 0))
            throw usage_error("without a prior the covariance has no inverse: it must be above 0");
    }

  private:
    [[nodiscard]] std::size_t width() const { return features_ ? features_->size() : task().width; }

    /// What is known of an image: its features, or its pixels.
    const Eigen::VectorXf& look_at(Image image) {
        if (features_) {
            (*features_)(image, seen_as_);
        } else {
            seen_as_ = as_vector(image);
        }
        return seen_as_;
    }

    void learn(Image image, std::size_t label) override {
        auto mean = means_.col(index(label));
        const auto before = static_cast<float>(seen(label));
        const Eigen::VectorXf off = look_at(image) - mean;
        // (x - old mean) (x - new mean)', of which the second is this share of the first.
        scatter_.selfadjointView<Eigen::Lower>().rankUpdate(off, before / (before + 1));
        mean += off / (before + 1);
        ++images_;
    }

    /// The covariance, but for a factor that is the same for all classes and so decides nothing.
    [[nodiscard]] Eigen::MatrixXf shrunk_scatter() const {
        const float spread = scatter_.diagonal().mean();
        // With one image of each class nothing is known of how they vary: all directions alike.
        const double mean_variance = spread > 0 ? double{spread} / static_cast<double>(images_) : 1;
        Eigen::MatrixXf shrunk = scatter_;
        shrunk.diagonal().array() += static_cast<float>(prior_ * mean_variance);
        return shrunk;
    }

    void prepare() override {
        weights_ = shrunk_scatter().llt().solve(means_);
        for (std::size_t label = 0; label < offsets_.size(); ++label)
            offsets_[label] = double{weights_.col(index(label)).dot(means_.col(index(label)))} / 2;
    }

    void score(Image image, std::span<double> scores) override {
        const Eigen::VectorXf& x = look_at(image);
        for (std::size_t label = 0; label < scores.size(); ++label)
            scores[label] = double{weights_.col(index(label)).dot(x)} - offsets_[label];
    }

    [[nodiscard]] std::size_t bytes_per_class() const override { return width() * sizeof(float); }
    /// Half of the scatter, with its diagonal: the other half is the same. Features follow from the seed.
    [[nodiscard]] std::size_t shared_bytes() const override {
        return width() * (width() + 1) / 2 * sizeof(float);
    }

    double prior_;
    std::optional<RandomFeatures> features_;
    std::size_t images_ = 0;  ///< the sum of all counts
    Eigen::MatrixXf means_;   ///< a column for each class
    Eigen::MatrixXf scatter_; ///< of all images about the means of their classes; only the lower half
    // What follows from these.
    Eigen::MatrixXf weights_; ///< a column for each class
    std::vector<double> offsets_;
    Eigen::VectorXf seen_as_;
};

} // namespace

std::unique_ptr<Strategy> make_streaming_lda(const Task& task, double prior) {
    return std::make_unique<StreamingLda>(task, prior, std::nullopt);
}

std::unique_ptr<Strategy> make_random_feature_lda(const Task& task, std::size_t features, double prior) {
    return std::make_unique<StreamingLda>(task, prior, RandomFeatures(task.width, features, task.seed));
}

} // namespace sprig::baselines
