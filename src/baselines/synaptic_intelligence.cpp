#include <algorithm>

#include "baselines/protected_weights.h"
#include "baselines/rule.h"

namespace sprig::baselines {

namespace {

constexpr float damping = 0.1F; ///< so that a weight that did not move does not divide by zero

/// A weight matters as much as its way along the loss's slope was worth, for the distance it went.
class SynapticIntelligence : public Rule {
  public:
    explicit SynapticIntelligence(double strength) : strength_(strength) {}

    void add_penalty(Net& net) override {
        if (start_.empty()) start_.assign(net.weights().begin(), net.weights().end());
        before_.assign(net.weights().begin(), net.weights().end());
        slope_.assign(net.gradient().begin(), net.gradient().end()); // of the task alone
        protected_.add_penalty(net, strength_);
    }

    void stepped(Net& net) override {
        worth_.resize(before_.size());
        const std::span<const float> weights = net.weights();
        for (std::size_t i = 0; i < worth_.size(); ++i) worth_[i] -= slope_[i] * (weights[i] - before_[i]);
    }

    void consolidate(Net& net, const Samples& /*fresh*/) override {
        const std::span<const float> weights = net.weights();
        const std::vector<float> since = protected_.anchor.empty() ? start_ : protected_.anchor;
        protected_.anchor_at(weights);
        for (std::size_t i = 0; i < worth_.size(); ++i) {
            const float way = weights[i] - since[i];
            protected_.importance[i] += std::max(0.0F, worth_[i] / ((way * way) + damping));
        }
        std::ranges::fill(worth_, 0.0F);
    }

    [[nodiscard]] Kept kept() const override {
        return {protected_.bytes() + (worth_.size() * sizeof(float)), 0, 0};
    }

  private:
    double strength_;
    ProtectedWeights protected_;
    std::vector<float> start_;          ///< the weights before the first step
    std::vector<float> worth_;          ///< of each weight's way since the last consolidation
    std::vector<float> before_, slope_; ///< of the step being made
};

} // namespace

std::unique_ptr<Rule> synaptic_intelligence(double strength) {
    return std::make_unique<SynapticIntelligence>(strength);
}

} // namespace sprig::baselines
