#include "lab/baselines/streaming_lda.h"

#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/Cholesky>

#include "core/keyed.h"
#include "lab/baselines/online_methods.h"
#include "sprig/error.h"

namespace sprig::baselines {

RandomFeatures::RandomFeatures(std::size_t pixels, std::size_t features, std::uint64_t seed)
    : weights_(index(features), index(pixels)) {
    if (features == 0) throw usage_error("there must be at least one random feature");
    const std::uint64_t key = random::mix({seed, random::mix("random features")});
    const double range = std::sqrt(6 / static_cast<double>(pixels));
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t f = 0; f < features; ++f) {
            // Uniform instead of normal: the sum over many pixels is nearly normal anyway, and logarithms and
            // cosines differ in the last bits between machines.
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
    /// Without `features` it uses the pixels.
    StreamingLda(const Task& task, double prior, std::optional<RandomFeatures> features)
        : OnlineMethod(task), prior_(prior), features_(std::move(features)),
          means_(columns(width(), task.classes)), scatter_(columns(width(), width())),
          weights_(columns(width(), task.classes)), offsets_(task.classes) {
        if (!(prior > 0))
            throw usage_error("the prior must be above 0: without it the covariance has no inverse");
    }

  private:
    [[nodiscard]] std::size_t width() const { return features_ ? features_->size() : task().width; }

    /// The features of an image, or its pixels.
    const Eigen::VectorXf& input_of(Image image) {
        if (features_) {
            (*features_)(image, input_);
        } else {
            input_ = as_vector(image);
        }
        return input_;
    }

    void learn(Image image, std::size_t label) override {
        auto mean = means_.col(index(label));
        const auto before = static_cast<float>(seen(label));
        const Eigen::VectorXf off = input_of(image) - mean;
        // (x - old mean) (x - new mean)'; the second factor is this multiple of the first.
        scatter_.selfadjointView<Eigen::Lower>().rankUpdate(off, before / (before + 1));
        mean += off / (before + 1);
        ++images_;
    }

    /// The covariance up to a factor that is the same for all classes.
    [[nodiscard]] Eigen::MatrixXf shrunk_scatter() const {
        const float spread = scatter_.diagonal().mean();
        // With one image of each class the variance is unknown: use the identity.
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
        const Eigen::VectorXf& x = input_of(image);
        for (std::size_t label = 0; label < scores.size(); ++label)
            scores[label] = double{weights_.col(index(label)).dot(x)} - offsets_[label];
    }

    [[nodiscard]] std::size_t bytes_per_class() const override { return width() * sizeof(float); }
    /// The lower half of the scatter. The random features follow from the seed.
    [[nodiscard]] std::size_t shared_bytes() const override {
        return width() * (width() + 1) / 2 * sizeof(float);
    }

    double prior_;
    std::optional<RandomFeatures> features_;
    std::size_t images_ = 0;  ///< the sum of all counts
    Eigen::MatrixXf means_;   ///< a column for each class
    Eigen::MatrixXf scatter_; ///< of all images about the means of their classes; only the lower half
    // Computed by prepare().
    Eigen::MatrixXf weights_; ///< a column for each class
    std::vector<double> offsets_;
    Eigen::VectorXf input_;
};

} // namespace

std::unique_ptr<Strategy> make_streaming_lda(const Task& task, double prior) {
    return std::make_unique<StreamingLda>(task, prior, std::nullopt);
}

std::unique_ptr<Strategy> make_random_feature_lda(const Task& task, std::size_t features, double prior) {
    return std::make_unique<StreamingLda>(task, prior, RandomFeatures(task.width, features, task.seed));
}

} // namespace sprig::baselines
