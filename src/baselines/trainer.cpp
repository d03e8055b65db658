#include "baselines/trainer.h"

#include "baselines/losses.h"

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
    rule_->block_done(*net_, block);
}

void Trainer::train(const Labelled& batch, const Samples& so_far) {
    for (std::size_t i = 0; i < schedule_.steps; ++i) {
        rule_->add_loss(*net_, batch);
        rule_->add_penalty(*net_);
        net_->step();
        rule_->stepped(*net_);
        ++steps_;
        if (schedule_.cadence > 0 && steps_ % schedule_.cadence == 0) rule_->consolidate(*net_, so_far);
    }
}

void Trainer::predict(const Samples& images, std::vector<std::size_t>& answers) {
    greatest(net_->outputs(images), classes_, answers);
}

Kept Trainer::kept() const {
    Kept kept = rule_->kept();
    kept.model += net_->bytes();
    return kept;
}

} // namespace sprig::baselines
