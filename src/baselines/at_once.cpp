#include "baselines/at_once.h"

#include <algorithm>
#include <numeric>

#include "baselines/losses.h"
#include "baselines/rule.h"
#include "random/keyed.h"

namespace sprig::baselines {

namespace {

class AtOnce : public Strategy {
  public:
    AtOnce(const Task& task, std::unique_ptr<Net> net, const AtOnceOptions& options)
        : task_(task), net_(std::move(net)), options_(options), all_(task.width) {}

    void observe(const Samples& images, std::size_t label) override {
        all_.add(images, label);
        is_trained_ = false;
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        if (!is_trained_) train();
        is_trained_ = true;
        greatest(net_->outputs(images), task_.classes, answers);
    }

    [[nodiscard]] Kept kept() const override { return {net_->bytes(), all_.bytes(), all_.size()}; }

  private:
    void train() {
        Rule plain;
        Labelled batch(task_.width);
        for (std::size_t epoch = 0; epoch < options_.epochs; ++epoch) {
            for (const std::size_t i : order(epoch)) {
                batch.add(all_.images.row(i), all_.labels[i]);
                if (batch.size() < options_.batch) continue;
                plain.add_loss(*net_, batch);
                net_->step();
                batch = Labelled(task_.width);
            }
        }
    }

    [[nodiscard]] std::vector<std::size_t> order(std::size_t epoch) const {
        static const std::uint64_t purpose = random::mix("the order of an epoch");
        std::vector<std::size_t> order(all_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto key = [&](std::size_t i) { return random::mix({task_.seed, purpose, epoch, i}); };
        std::ranges::sort(order, {}, key);
        return order;
    }

    Task task_;
    std::unique_ptr<Net> net_;
    AtOnceOptions options_;
    Labelled all_;
    bool is_trained_ = true;
};

} // namespace

std::unique_ptr<Strategy> learn_at_once(const Task& task, std::unique_ptr<Net> net,
                                        const AtOnceOptions& options) {
    return std::make_unique<AtOnce>(task, std::move(net), options);
}

} // namespace sprig::baselines
