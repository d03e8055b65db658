#include "baselines/buffer.h"
#include "baselines/losses.h"
#include "baselines/rule.h"

namespace sprig::baselines {

namespace {

/// Past images are kept with what the network said of them then: both that and their classes are to be kept.
class DarkExperience : public Rule {
  public:
    DarkExperience(std::size_t capacity, double alpha, double beta, std::uint64_t seed)
        : alpha_(static_cast<float>(alpha)), beta_(static_cast<float>(beta)),
          buffer_(Buffer::Policy::reservoir, capacity, seed) {}

    void add_loss(Net& net, const Labelled& fresh) override {
        Rule::add_loss(net, fresh);
        if (buffer_.empty()) return;
        const std::span<const float> logits = net.forward(buffer_.past().images);
        std::vector<float> by_output(logits.size());
        add_squared_distance(logits, buffer_.notes().values(), alpha_, by_output);
        add_cross_entropy(logits, buffer_.past().labels, beta_, by_output);
        net.backward(by_output);
    }

    void block_done(Net& net, const Labelled& block) override {
        const std::span<const float> logits = net.outputs(block.images);
        const std::size_t classes = logits.size() / block.size();
        for (std::size_t i = 0; i < block.size(); ++i)
            buffer_.offer(block.images.row(i), block.labels[i], logits.subspan(i * classes, classes));
    }

    [[nodiscard]] Kept kept() const override { return buffer_.kept(); }

  private:
    float alpha_;
    float beta_;
    Buffer buffer_;
};

} // namespace

std::unique_ptr<Rule> dark_experience(std::size_t capacity, double alpha, double beta, std::uint64_t seed) {
    return std::make_unique<DarkExperience>(capacity, alpha, beta, seed);
}

} // namespace sprig::baselines
