#include <algorithm>

#include "baselines/losses.h"
#include "baselines/rule.h"

namespace sprig::baselines {

namespace {

constexpr float temperature = 2;

/// The network as it was is asked for the new images, too, and its answers are to be kept.
class LearningWithoutForgetting : public Rule {
  public:
    explicit LearningWithoutForgetting(double strength) : strength_(static_cast<float>(strength)) {}

    void add_loss(Net& net, const Labelled& fresh) override {
        const std::vector<float> wanted =
            snapshot_.empty() ? std::vector<float>{} : asked_before(net, fresh.images);
        const std::span<const float> logits = net.forward(fresh.images);
        std::vector<float> by_output(logits.size());
        add_cross_entropy(logits, fresh.labels, 1, by_output);
        if (!wanted.empty()) {
            add_distillation(logits, wanted, logits.size() / fresh.size(), temperature, strength_, by_output);
        }
        net.backward(by_output);
    }

    void consolidate(Net& net, const Samples& /*fresh*/) override {
        snapshot_.assign(net.weights().begin(), net.weights().end());
    }

    [[nodiscard]] Kept kept() const override { return {snapshot_.size() * sizeof(float), 0, 0}; }

  private:
    /// What the snapshot says: its weights take the place of the present ones for a moment.
    std::vector<float> asked_before(Net& net, const Samples& images) {
        const std::span<float> weights = net.weights();
        std::swap_ranges(snapshot_.begin(), snapshot_.end(), weights.begin());
        const std::span<const float> outputs = net.outputs(images);
        std::vector<float> result(outputs.begin(), outputs.end());
        std::swap_ranges(snapshot_.begin(), snapshot_.end(), weights.begin());
        return result;
    }

    float strength_;
    std::vector<float> snapshot_; ///< weights; empty before the first consolidation
};

} // namespace

std::unique_ptr<Rule> learning_without_forgetting(double strength) {
    return std::make_unique<LearningWithoutForgetting>(strength);
}

} // namespace sprig::baselines
