#include "baselines/buffer.h"
#include "baselines/losses.h"
#include "baselines/rule.h"

namespace sprig::baselines {

namespace {

/// The whole buffer beside the new images, in one mean.
class NaiveReplay : public Rule {
  public:
    NaiveReplay(std::size_t capacity, std::uint64_t seed)
        : buffer_(Buffer::Policy::balanced, capacity, seed) {}

    void add_loss(Net& net, const Labelled& fresh) override {
        Labelled all = fresh;
        all.add(buffer_.past());
        Rule::add_loss(net, all);
    }

    void block_done(Net& /*net*/, const Labelled& block) override {
        for (std::size_t i = 0; i < block.size(); ++i) buffer_.offer(block.images.row(i), block.labels[i]);
    }

    [[nodiscard]] Kept kept() const override { return buffer_.kept(); }

  private:
    Buffer buffer_;
};

} // namespace

std::unique_ptr<Rule> naive_replay(std::size_t capacity, std::uint64_t seed) {
    return std::make_unique<NaiveReplay>(capacity, seed);
}

} // namespace sprig::baselines
