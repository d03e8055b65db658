#include "lab/baselines/online_methods.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "lab/baselines/vectors.h"
#include "sprig/error.h"

namespace sprig::baselines {

void check_images(const Task& task, const Samples& images) {
    if (images.width() == task.width) return;
    throw usage_error(
        fmt::format("the task has images of {} px, but these have {}", task.width, images.width()));
}

void check_images(const Task& task, const Samples& images, std::size_t label) {
    check_images(task, images);
    if (label < task.classes) return;
    throw usage_error(fmt::format("the task has {} classes, so there is no class {}", task.classes, label));
}

void OnlineMethod::observe(const Samples& images, std::size_t label) {
    check_images(task_, images, label);
    for (std::size_t i = 0; i < images.size(); ++i) {
        learn(images.row(i), label);
        ++seen_[label];
        prepared_ = false;
    }
}

void OnlineMethod::predict(const Samples& images, std::vector<std::size_t>& answers) {
    check_images(task_, images);
    if (!prepared_) prepare();
    prepared_ = true;
    answers.clear();
    std::vector<double> scores(task_.classes);
    for (std::size_t i = 0; i < images.size(); ++i) {
        score(images.row(i), scores);
        answers.push_back(best(scores));
    }
}

void OnlineMethod::rank(const Samples& images, std::size_t most,
                        std::vector<std::vector<std::size_t>>& answers) {
    check_images(task_, images);
    if (!prepared_) prepare();
    prepared_ = true;
    answers.clear();
    std::vector<double> scores(task_.classes);
    for (std::size_t i = 0; i < images.size(); ++i) {
        score(images.row(i), scores);
        for (std::size_t label = 0; label < scores.size(); ++label)
            if (seen_[label] == 0) scores[label] = -std::numeric_limits<double>::infinity();
        answers.push_back(greatest(std::span<const double>(scores), most));
    }
}

MemoryUse OnlineMethod::memory_use() const {
    const auto classes = static_cast<std::size_t>(std::ranges::count_if(seen_, [](auto n) { return n > 0; }));
    return {.model = shared_bytes() + (classes * (bytes_per_class() + sizeof seen_.front()))};
}

std::size_t OnlineMethod::best(std::span<const double> scores) const {
    std::size_t best = 0;
    bool found = false;
    for (std::size_t label = 0; label < scores.size(); ++label) {
        if (seen_[label] == 0 || (found && scores[label] <= scores[best])) continue;
        best = label;
        found = true;
    }
    return best;
}

namespace {

class NearestMean final : public OnlineMethod {
  public:
    explicit NearestMean(const Task& task) : OnlineMethod(task), means_(columns(task.width, task.classes)) {}

  private:
    void learn(Image image, std::size_t label) override {
        auto mean = means_.col(index(label));
        mean += (as_vector(image) - mean) / static_cast<float>(seen(label) + 1);
    }

    void score(Image image, std::span<double> scores) override {
        const auto pixels = as_vector(image);
        for (std::size_t label = 0; label < scores.size(); ++label)
            scores[label] = -(pixels - means_.col(index(label))).squaredNorm();
    }

    [[nodiscard]] std::size_t bytes_per_class() const override { return task().width * sizeof(float); }

    Eigen::MatrixXf means_; ///< a column for each class
};

} // namespace

std::unique_ptr<Strategy> make_nearest_mean(const Task& task) {
    return std::make_unique<NearestMean>(task);
}

namespace {

class NaiveBayes final : public OnlineMethod {
  public:
    NaiveBayes(const Task& task, double variance_floor)
        : OnlineMethod(task), floor_(static_cast<float>(variance_floor)),
          means_(columns(task.width, task.classes)), squares_(columns(task.width, task.classes)),
          precisions_(columns(task.width, task.classes)), offsets_(task.classes) {
        if (!(variance_floor > 0))
            throw usage_error("a variance needs a floor above 0: blank pixels never vary");
    }

  private:
    // Welford's algorithm, which avoids cancellation.
    void learn(Image image, std::size_t label) override {
        auto mean = means_.col(index(label));
        const Eigen::VectorXf off = as_vector(image) - mean;
        mean += off / static_cast<float>(seen(label) + 1);
        squares_.col(index(label)) += off.cwiseProduct(as_vector(image) - mean);
    }

    void prepare() override {
        for (std::size_t label = 0; label < offsets_.size(); ++label) {
            if (seen(label) == 0) continue;
            const Eigen::VectorXf variances =
                (squares_.col(index(label)) / static_cast<float>(seen(label))).array() + floor_;
            precisions_.col(index(label)) = variances.cwiseInverse();
            offsets_[label] = 0;
            for (const float variance : variances) offsets_[label] -= std::log(double{variance});
        }
    }

    /// Twice the log-likelihood, without terms that are the same for all classes.
    void score(Image image, std::span<double> scores) override {
        const auto pixels = as_vector(image);
        for (std::size_t label = 0; label < scores.size(); ++label) {
            const auto squares = (pixels - means_.col(index(label))).cwiseAbs2();
            scores[label] = offsets_[label] - double{precisions_.col(index(label)).dot(squares)};
        }
    }

    [[nodiscard]] std::size_t bytes_per_class() const override { return 2 * task().width * sizeof(float); }

    float floor_;
    Eigen::MatrixXf means_;   ///< a column for each class, as in the other matrices
    Eigen::MatrixXf squares_; ///< sums of squared distances from the mean
    // Computed by prepare().
    Eigen::MatrixXf precisions_;
    std::vector<double> offsets_; ///< the sum of the log precisions of all pixels
};

} // namespace

std::unique_ptr<Strategy> make_naive_bayes(const Task& task, double variance_floor) {
    return std::make_unique<NaiveBayes>(task, variance_floor);
}

namespace {

/// Crammer and others (2006), "PA-I" for several classes: the right class is compared with its strongest
/// rival.
class PassiveAggressive final : public OnlineMethod {
  public:
    PassiveAggressive(const Task& task, double most_aggressive)
        : OnlineMethod(task), most_(most_aggressive), weights_(columns(task.width, task.classes)),
          biases_(task.classes), scores_(task.classes) {
        if (!(most_aggressive > 0))
            throw usage_error("the maximum step must be above 0, otherwise nothing is learned");
    }

  private:
    void learn(Image image, std::size_t label) override {
        score(image, scores_);
        const std::optional<std::size_t> rival = strongest_rival(label);
        if (!rival) return;
        const double loss = 1 - scores_[label] + scores_[*rival];
        if (loss <= 0) return;
        // The bias is the weight of a pixel that is always 1. Both classes move, hence the 2.
        const double squares = double{as_vector(image).squaredNorm()} + 1;
        const auto step = static_cast<float>(std::min(most_, loss / (2 * squares)));
        move(label, image, step);
        move(*rival, image, -step);
    }

    /// Among the classes seen so far.
    [[nodiscard]] std::optional<std::size_t> strongest_rival(std::size_t label) const {
        std::optional<std::size_t> strongest;
        for (std::size_t other = 0; other < scores_.size(); ++other) {
            if (other == label || seen(other) == 0) continue;
            if (!strongest || scores_[other] > scores_[*strongest]) strongest = other;
        }
        return strongest;
    }

    void move(std::size_t label, Image image, float step) {
        weights_.col(index(label)) += step * as_vector(image);
        biases_[label] += step;
    }

    void score(Image image, std::span<double> scores) override {
        for (std::size_t label = 0; label < scores.size(); ++label)
            scores[label] = double{weights_.col(index(label)).dot(as_vector(image))} + double{biases_[label]};
    }

    [[nodiscard]] std::size_t bytes_per_class() const override { return (task().width + 1) * sizeof(float); }

    double most_;
    Eigen::MatrixXf weights_; ///< a column for each class
    std::vector<float> biases_;
    std::vector<double> scores_; ///< of the image that is being learned
};

} // namespace

std::unique_ptr<Strategy> make_passive_aggressive(const Task& task, double most_aggressive) {
    return std::make_unique<PassiveAggressive>(task, most_aggressive);
}

} // namespace sprig::baselines
