#include <algorithm>
#include <optional>

#include "baselines/online_method.h"
#include "baselines/online_methods.h"
#include "baselines/vectors.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

/// Crammer and others (2006), "PA-I" for several classes: the right class is set against its strongest rival.
class PassiveAggressive final : public OnlineMethod {
  public:
    PassiveAggressive(const Task& task, double most_aggressive)
        : OnlineMethod(task), most_(most_aggressive), weights_(columns(task.width, task.classes)),
          biases_(task.classes), scores_(task.classes) {
        if (!(most_aggressive > 0))
            throw usage_error("the largest step must be above 0, else nothing is learned");
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

    /// Of the classes met so far: one that may never come is nobody's rival.
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
