#include "baselines/buffer.h"
#include "baselines/losses.h"
#include "baselines/rule.h"

namespace sprig::baselines {

namespace {

/// New images compete among their own classes and those that never came: they do not push away what is known.
class AsymmetricReplay : public Rule {
  public:
    AsymmetricReplay(std::size_t capacity, std::size_t classes, std::uint64_t seed)
        : buffer_(Buffer::Policy::reservoir, capacity, seed), seen_(classes) {}

    void add_loss(Net& net, const Labelled& fresh) override {
        std::vector<bool> counted = seen_;
        counted.flip();
        for (const std::size_t label : fresh.labels) counted[label] = true;
        const std::span<const float> logits = net.forward(fresh.images);
        std::vector<float> by_output(logits.size());
        add_cross_entropy(logits, fresh.labels, 1, by_output, counted);
        net.backward(by_output);
        if (!buffer_.empty()) Rule::add_loss(net, buffer_.past());
    }

    void block_done(Net& /*net*/, const Labelled& block) override {
        for (std::size_t i = 0; i < block.size(); ++i) {
            seen_[block.labels[i]] = true;
            buffer_.offer(block.images.row(i), block.labels[i]);
        }
    }

    [[nodiscard]] Kept kept() const override { return buffer_.kept(); }

  private:
    Buffer buffer_;
    std::vector<bool> seen_; ///< classes that came before
};

} // namespace

std::unique_ptr<Rule> asymmetric_replay(std::size_t capacity, std::size_t classes, std::uint64_t seed) {
    return std::make_unique<AsymmetricReplay>(capacity, classes, seed);
}

} // namespace sprig::baselines
