#include <cmath>

#include "baselines/protected_weights.h"
#include "baselines/rule.h"

namespace sprig::baselines {

namespace {

/// A weight matters as much as the outputs' squared length hangs on it, whatever the classes are.
class MemoryAwareSynapses : public Rule {
  public:
    explicit MemoryAwareSynapses(double strength) : strength_(strength) {}

    void add_penalty(Net& net) override { protected_.add_penalty(net, strength_); }

    void consolidate(Net& net, const Samples& fresh) override {
        protected_.anchor_at(net.weights());
        const float each = 1 / static_cast<float>(fresh.size());
        const std::span<float> gradient = net.gradient();
        Samples one(fresh.width());
        std::vector<float> twice;
        for (std::size_t s = 0; s < fresh.size(); ++s) {
            one.clear();
            one.add(fresh.row(s));
            const std::span<const float> outputs = net.forward(one);
            twice.clear();
            for (const float output : outputs) twice.push_back(2 * output);
            net.backward(twice);
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                protected_.importance[i] += each * std::abs(gradient[i]);
                gradient[i] = 0;
            }
        }
    }

    [[nodiscard]] Kept kept() const override { return {protected_.bytes(), 0, 0}; }

  private:
    double strength_;
    ProtectedWeights protected_;
};

} // namespace

std::unique_ptr<Rule> memory_aware_synapses(double strength) {
    return std::make_unique<MemoryAwareSynapses>(strength);
}

} // namespace sprig::baselines
