#include "lab/baselines/rules.h"

#include <algorithm>
#include <cmath>

#include "lab/baselines/net.h"
#include "core/keyed.h"

namespace sprig::baselines {

std::size_t Buffer::below(std::size_t count) const {
    static const std::uint64_t purpose = random::mix("the place in a buffer");
    const double at = random::uniform(random::mix({seed_, purpose, offered_}));
    return static_cast<std::size_t>(std::floor(at * static_cast<double>(count)));
}

std::size_t Buffer::balanced_place(std::size_t label) const {
    const std::vector<std::size_t>& labels = past_.labels;
    const auto count = [&](std::size_t of) { return std::ranges::count(labels, of); };
    std::ptrdiff_t most = 0;
    for (const std::size_t other : labels) most = std::max(most, count(other));
    // A class that has its share already renews itself; else one of the largest classes gives way.
    const bool has_its_share = count(label) == most;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (has_its_share ? labels[i] == label : count(labels[i]) == most) places.push_back(i);
    }
    return places[below(places.size())];
}

std::size_t Buffer::place_for(std::size_t label) const {
    if (size() < capacity_) return size();
    if (policy_ == Policy::balanced) return balanced_place(label);
    return std::min(below(offered_ + 1), capacity_);
}

void Buffer::offer(std::span<const float> image, std::size_t label, std::span<const float> note) {
    if (capacity_ == 0) return;
    if (empty()) {
        past_ = Labelled(image.size());
        notes_ = Samples(note.size());
    }
    const std::size_t place = place_for(label);
    ++offered_;
    if (place == capacity_) return;
    if (place == size()) {
        past_.add(image, label);
        notes_.add(note);
        return;
    }
    past_.images.replace(place, image);
    past_.labels[place] = label;
    notes_.replace(place, note);
}

Kept Buffer::kept() const {
    return {0, past_.bytes() + (notes_.values().size() * sizeof(float)), size()};
}

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
