#include "baselines/online_method.h"
#include "baselines/online_methods.h"
#include "baselines/vectors.h"

namespace sprig::baselines {

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

} // namespace sprig::baselines
