#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lab/baselines/net.h"
#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// A limited number of past images with their classes and, optionally, notes such as logits.
class Buffer {
  public:
    /// Which images are kept when the buffer is full.
    enum class Policy {
        reservoir, ///< a uniform sample of all offered images
        balanced,  ///< the same number of each class, with a preference for recent ones
    };
    Buffer(Policy policy, std::size_t capacity, std::uint64_t seed)
        : policy_(policy), capacity_(capacity), seed_(seed) {}

    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::size_t size() const { return past_.size(); }
    [[nodiscard]] const Labelled& past() const { return past_; }
    /// The notes, a row for each image; empty if none were offered.
    [[nodiscard]] const Samples& notes() const { return notes_; }

    void offer(std::span<const float> image, std::size_t label, std::span<const float> note = {});
    [[nodiscard]] MemoryUse memory_use() const;

  private:
    /// The index for a new image: `size()` to append it, `capacity_` to drop it.
    [[nodiscard]] std::size_t slot_for(std::size_t label) const;
    [[nodiscard]] std::size_t balanced_slot(std::size_t label) const;
    [[nodiscard]] std::size_t random_below(std::size_t count) const;

    Policy policy_;
    std::size_t capacity_;
    std::uint64_t seed_;
    std::size_t offered_ = 0;
    Labelled past_{0};
    Samples notes_{0};
};

/// How a method differs from plain training. The base class is plain training.
class Rule {
  public:
    Rule() = default;
    virtual ~Rule() = default;
    Rule(const Rule&) = delete;
    Rule& operator=(const Rule&) = delete;

    /// Adds the gradient of the loss on a batch of new images. Called before every step.
    virtual void add_loss(Net& net, const Labelled& fresh);
    /// Adds the gradient of a penalty on the weights. Called before every step, after `add_loss`.
    virtual void add_penalty(Net& /*net*/) {}
    virtual void after_step(Net& /*net*/) {}
    /// Makes the present weights the ones to be protected; `fresh` are the images of the block so far.
    virtual void consolidate(Net& /*net*/, const Samples& /*fresh*/) {}
    virtual void after_block(Net& /*net*/, const Labelled& /*block*/) {}
    /// What it keeps in addition to the network.
    [[nodiscard]] virtual MemoryUse memory_use() const { return {}; }
};

/// Synaptic intelligence (Zenke and others, 2017).
[[nodiscard]] std::unique_ptr<Rule> synaptic_intelligence(double strength);
/// Memory-aware synapses (Aljundi and others, 2018).
[[nodiscard]] std::unique_ptr<Rule> memory_aware_synapses(double strength);
/// Learning without forgetting (Li and Hoiem, 2018).
[[nodiscard]] std::unique_ptr<Rule> learning_without_forgetting(double strength);
/// Replays a class-balanced buffer with the new images.
[[nodiscard]] std::unique_ptr<Rule> naive_replay(std::size_t capacity, std::uint64_t seed);
/// Dark experience replay ++ (Buzzega and others, 2020).
[[nodiscard]] std::unique_ptr<Rule> dark_experience(std::size_t capacity, double alpha, double beta,
                                                    std::uint64_t seed);
/// Experience replay with asymmetric cross-entropy (Caccia and others, 2022).
[[nodiscard]] std::unique_ptr<Rule> asymmetric_replay(std::size_t capacity, std::size_t classes,
                                                      std::uint64_t seed);

/// The quadratic penalty that SI and MAS share: weights are held near an anchor in proportion to their
/// importance.
struct ProtectedWeights {
    std::vector<float> anchor; ///< empty: nothing is protected yet
    std::vector<float> importance;

    void add_penalty(Net& net, double strength) const {
        if (anchor.empty()) return;
        const std::span<float> gradient = net.gradient();
        const std::span<const float> weights = net.weights();
        const auto twice = static_cast<float>(2 * strength);
        for (std::size_t i = 0; i < anchor.size(); ++i)
            gradient[i] += twice * importance[i] * (weights[i] - anchor[i]);
    }
    void anchor_at(std::span<const float> weights) {
        anchor.assign(weights.begin(), weights.end());
        importance.resize(weights.size());
    }
    [[nodiscard]] std::size_t bytes() const { return (anchor.size() + importance.size()) * sizeof(float); }
};

} // namespace sprig::baselines
