#include <cmath>

#include "baselines/online_method.h"
#include "baselines/online_methods.h"
#include "baselines/vectors.h"
#include "sprig/error.h"

namespace sprig::baselines {

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
    // Welford's running moments: the squares are about the mean so far, so that nothing large is subtracted.
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

    /// Twice the logarithm of the likelihood, without what is the same for all classes.
    void score(Image image, std::span<double> scores) override {
        const auto pixels = as_vector(image);
        for (std::size_t label = 0; label < scores.size(); ++label) {
            const auto squares = (pixels - means_.col(index(label))).cwiseAbs2();
            scores[label] = offsets_[label] - double{precisions_.col(index(label)).dot(squares)};
        }
    }

    [[nodiscard]] std::size_t bytes_per_class() const override { return 2 * task().width * sizeof(float); }

    float floor_;
    Eigen::MatrixXf means_;   ///< a column for each class, as in all of these
    Eigen::MatrixXf squares_; ///< sums of squared distances from the mean
    // What follows from these.
    Eigen::MatrixXf precisions_;
    std::vector<double> offsets_; ///< the sum of all pixels' logarithms of the precision
};

} // namespace

std::unique_ptr<Strategy> make_naive_bayes(const Task& task, double variance_floor) {
    return std::make_unique<NaiveBayes>(task, variance_floor);
}

} // namespace sprig::baselines
