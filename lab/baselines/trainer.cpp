#include "lab/baselines/trainer.h"

#include <algorithm>
#include <numeric>

#include "core/keyed.h"
#include "lab/baselines/net.h"
#include "lab/baselines/rules.h"

namespace sprig::baselines {

void Rule::add_loss(Net& net, const Labelled& fresh) {
    const std::span<const float> logits = net.forward(fresh.images);
    std::vector<float> by_output(logits.size());
    add_cross_entropy(logits, fresh.labels, 1, by_output);
    net.backward(by_output);
}

Trainer::Trainer(const Task& task, std::unique_ptr<Net> net, std::unique_ptr<Rule> rule,
                 const Schedule& schedule)
    : classes_(task.classes), net_(std::move(net)), rule_(std::move(rule)), schedule_(schedule) {}

void Trainer::observe(const Samples& images, std::size_t label) {
    Labelled block(images.width());
    block.add(images, label);
    Samples so_far(images.width());
    Labelled batch(images.width());
    for (std::size_t i = 0; i < images.size(); ++i) {
        batch.add(images.row(i), label);
        if (batch.size() < schedule_.batch && i + 1 < images.size()) continue;
        so_far.add(batch.images);
        train(batch, so_far);
        batch = Labelled(images.width());
    }
    rule_->after_block(*net_, block);
}

void Trainer::train(const Labelled& batch, const Samples& so_far) {
    for (std::size_t i = 0; i < schedule_.steps; ++i) {
        rule_->add_loss(*net_, batch);
        rule_->add_penalty(*net_);
        net_->step();
        rule_->after_step(*net_);
        ++steps_;
        if (schedule_.cadence > 0 && steps_ % schedule_.cadence == 0) rule_->consolidate(*net_, so_far);
    }
}

void Trainer::predict(const Samples& images, std::vector<std::size_t>& answers) {
    argmax(net_->outputs(images), classes_, answers);
}

void Trainer::rank(const Samples& images, std::size_t most, std::vector<std::vector<std::size_t>>& answers) {
    const std::span<const float> outputs = net_->outputs(images);
    answers.clear();
    for (std::size_t at = 0; at < outputs.size(); at += classes_)
        answers.push_back(greatest(outputs.subspan(at, classes_), most));
}

MemoryUse Trainer::memory_use() const {
    MemoryUse memory = rule_->memory_use();
    memory.model += net_->bytes();
    return memory;
}

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
        argmax(net_->outputs(images), task_.classes, answers);
    }

    [[nodiscard]] MemoryUse memory_use() const override { return {net_->bytes(), all_.bytes(), all_.size()}; }

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
