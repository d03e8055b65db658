#include "lab/baselines/rules.h"

#include <algorithm>
#include <cmath>

#include "core/keyed.h"
#include "lab/baselines/net.h"

namespace sprig::baselines {

std::size_t Buffer::random_below(std::size_t count) const {
    static const std::uint64_t purpose = random::mix("the place in a buffer");
    const double at = random::uniform(random::mix({seed_, purpose, offered_}));
    return static_cast<std::size_t>(std::floor(at * static_cast<double>(count)));
}

std::size_t Buffer::balanced_slot(std::size_t label) const {
    const std::vector<std::size_t>& labels = past_.labels;
    const auto count = [&](std::size_t of) { return std::ranges::count(labels, of); };
    std::ptrdiff_t most = 0;
    for (const std::size_t other : labels) most = std::max(most, count(other));
    // A class that already has its share replaces one of its own images, otherwise one of a largest class.
    const bool has_its_share = count(label) == most;
    std::vector<std::size_t> slots;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (has_its_share ? labels[i] == label : count(labels[i]) == most) slots.push_back(i);
    }
    return slots[random_below(slots.size())];
}

std::size_t Buffer::slot_for(std::size_t label) const {
    if (size() < capacity_) return size();
    if (policy_ == Policy::balanced) return balanced_slot(label);
    return std::min(random_below(offered_ + 1), capacity_);
}

void Buffer::offer(std::span<const float> image, std::size_t label, std::span<const float> note) {
    if (capacity_ == 0) return;
    if (empty()) {
        past_ = Labelled(image.size());
        notes_ = Samples(note.size());
    }
    const std::size_t slot = slot_for(label);
    ++offered_;
    if (slot == capacity_) return;
    if (slot == size()) {
        past_.add(image, label);
        notes_.add(note);
        return;
    }
    past_.images.replace(slot, image);
    past_.labels[slot] = label;
    notes_.replace(slot, note);
}

MemoryUse Buffer::memory_use() const {
    return {0, past_.bytes() + (notes_.values().size() * sizeof(float)), size()};
}

namespace {

/// The loss is the mean over the new images and the whole buffer.
class NaiveReplay : public Rule {
  public:
    NaiveReplay(std::size_t capacity, std::uint64_t seed)
        : buffer_(Buffer::Policy::balanced, capacity, seed) {}

    void add_loss(Net& net, const Labelled& fresh) override {
        Labelled all = fresh;
        all.add(buffer_.past());
        Rule::add_loss(net, all);
    }

    void after_block(Net& /*net*/, const Labelled& block) override {
        for (std::size_t i = 0; i < block.size(); ++i) buffer_.offer(block.images.row(i), block.labels[i]);
    }

    [[nodiscard]] MemoryUse memory_use() const override { return buffer_.memory_use(); }

  private:
    Buffer buffer_;
};

} // namespace

std::unique_ptr<Rule> naive_replay(std::size_t capacity, std::uint64_t seed) {
    return std::make_unique<NaiveReplay>(capacity, seed);
}

namespace {

/// Past images are stored with the logits of that time; the losses preserve both the logits and the classes.
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

    void after_block(Net& net, const Labelled& block) override {
        const std::span<const float> logits = net.outputs(block.images);
        const std::size_t classes = logits.size() / block.size();
        for (std::size_t i = 0; i < block.size(); ++i)
            buffer_.offer(block.images.row(i), block.labels[i], logits.subspan(i * classes, classes));
    }

    [[nodiscard]] MemoryUse memory_use() const override { return buffer_.memory_use(); }

  private:
    float alpha_;
    float beta_;
    Buffer buffer_;
};

} // namespace

std::unique_ptr<Rule> dark_experience(std::size_t capacity, double alpha, double beta, std::uint64_t seed) {
    return std::make_unique<DarkExperience>(capacity, alpha, beta, seed);
}

namespace {

/// The loss on new images is over their own classes and classes never seen, so that it does not lower the
/// logits of other known classes.
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

    void after_block(Net& /*net*/, const Labelled& block) override {
        for (std::size_t i = 0; i < block.size(); ++i) {
            seen_[block.labels[i]] = true;
            buffer_.offer(block.images.row(i), block.labels[i]);
        }
    }

    [[nodiscard]] MemoryUse memory_use() const override { return buffer_.memory_use(); }

  private:
    Buffer buffer_;
    std::vector<bool> seen_; ///< classes of earlier blocks
};

} // namespace

std::unique_ptr<Rule> asymmetric_replay(std::size_t capacity, std::size_t classes, std::uint64_t seed) {
    return std::make_unique<AsymmetricReplay>(capacity, classes, seed);
}

namespace {

constexpr float temperature = 2;

/// Distils the outputs of a snapshot of the network on the new images.
class LearningWithoutForgetting : public Rule {
  public:
    explicit LearningWithoutForgetting(double strength) : strength_(static_cast<float>(strength)) {}

    void add_loss(Net& net, const Labelled& fresh) override {
        const std::vector<float> wanted =
            snapshot_.empty() ? std::vector<float>{} : snapshot_outputs(net, fresh.images);
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

    [[nodiscard]] MemoryUse memory_use() const override { return {snapshot_.size() * sizeof(float), 0, 0}; }

  private:
    /// Swaps in the weights of the snapshot to compute its outputs, and swaps them back.
    std::vector<float> snapshot_outputs(Net& net, const Samples& images) {
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

namespace {

constexpr float damping = 0.1F; ///< avoids a division by zero for a weight that did not move

/// The importance of a weight is its contribution to the decrease of the loss, divided by the square of the
/// distance that it moved.
class SynapticIntelligence : public Rule {
  public:
    explicit SynapticIntelligence(double strength) : strength_(strength) {}

    void add_penalty(Net& net) override {
        if (start_.empty()) start_.assign(net.weights().begin(), net.weights().end());
        before_.assign(net.weights().begin(), net.weights().end());
        task_gradient_.assign(net.gradient().begin(), net.gradient().end()); // without the penalty
        protected_.add_penalty(net, strength_);
    }

    void after_step(Net& net) override {
        path_integral_.resize(before_.size());
        const std::span<const float> weights = net.weights();
        for (std::size_t i = 0; i < path_integral_.size(); ++i)
            path_integral_[i] -= task_gradient_[i] * (weights[i] - before_[i]);
    }

    void consolidate(Net& net, const Samples& /*fresh*/) override {
        const std::span<const float> weights = net.weights();
        const std::vector<float> previous = protected_.anchor.empty() ? start_ : protected_.anchor;
        protected_.anchor_at(weights);
        for (std::size_t i = 0; i < path_integral_.size(); ++i) {
            const float distance = weights[i] - previous[i];
            protected_.importance[i] += std::max(0.0F, path_integral_[i] / ((distance * distance) + damping));
        }
        std::ranges::fill(path_integral_, 0.0F);
    }

    [[nodiscard]] MemoryUse memory_use() const override {
        return {protected_.bytes() + (path_integral_.size() * sizeof(float)), 0, 0};
    }

  private:
    double strength_;
    ProtectedWeights protected_;
    std::vector<float> start_;                  ///< the weights before the first step
    std::vector<float> path_integral_;          ///< of each weight since the last consolidation
    std::vector<float> before_, task_gradient_; ///< of the step being made
};

} // namespace

std::unique_ptr<Rule> synaptic_intelligence(double strength) {
    return std::make_unique<SynapticIntelligence>(strength);
}

namespace {

/// The importance of a weight is the sensitivity of the squared norm of the outputs to it; labels are not
/// used.
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

    [[nodiscard]] MemoryUse memory_use() const override { return {protected_.bytes(), 0, 0}; }

  private:
    double strength_;
    ProtectedWeights protected_;
};

} // namespace

std::unique_ptr<Rule> memory_aware_synapses(double strength) {
    return std::make_unique<MemoryAwareSynapses>(strength);
}

} // namespace sprig::baselines
