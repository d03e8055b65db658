#include "baselines/binarized.h"

namespace sprig::baselines {

namespace {

Samples ink_of(const Samples& images) {
    Samples result(images.width());
    result.reserve(images.size());
    std::vector<float> row(images.width());
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::ranges::transform(images.row(i), row.begin(),
                               [](float grey) { return grey > 0.5F ? 1.0F : 0.0F; });
        result.add(row);
    }
    return result;
}

class Binarized : public Strategy {
  public:
    explicit Binarized(std::unique_ptr<Strategy> learner) : learner_(std::move(learner)) {}

    void observe(const Samples& images, std::size_t label) override {
        learner_->observe(ink_of(images), label);
    }
    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        learner_->predict(ink_of(images), answers);
    }
    [[nodiscard]] Kept kept() const override { return learner_->kept(); }

  private:
    std::unique_ptr<Strategy> learner_;
};

} // namespace

std::unique_ptr<Strategy> binarized(std::unique_ptr<Strategy> learner) {
    return std::make_unique<Binarized>(std::move(learner));
}

} // namespace sprig::baselines
