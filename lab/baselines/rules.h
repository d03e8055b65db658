#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lab/baselines/net.h"
#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// Some of the past: images with their classes, and what was stored with them.
class Buffer {
  public:
    /// Which of too many are kept.
    enum class Policy {
        reservoir, ///< each of all that came is as likely to be there
        balanced,  ///< of each class as many as of any other, the latest ones
    };
    Buffer(Policy policy, std::size_t capacity, std::uint64_t seed)
        : policy_(policy), capacity_(capacity), seed_(seed) {}

    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::size_t size() const { return past_.size(); }
    [[nodiscard]] const Labelled& past() const { return past_; }
    /// What was stored beside the images: a row for each, none if nothing was.
    [[nodiscard]] const Samples& notes() const { return notes_; }

    void offer(std::span<const float> image, std::size_t label, std::span<const float> note = {});
    [[nodiscard]] Kept kept() const;

  private:
    /// The place a new one takes; `size()` to be added, `capacity_` to be left out.
    [[nodiscard]] std::size_t place_for(std::size_t label) const;
    [[nodiscard]] std::size_t balanced_place(std::size_t label) const;
    [[nodiscard]] std::size_t below(std::size_t count) const;

    Policy policy_;
    std::size_t capacity_;
    std::uint64_t seed_;
    std::size_t offered_ = 0;
    Labelled past_{0};
    Samples notes_{0};
};

/// What a method does otherwise than plain training. This one is plain training.
class Rule {
  public:
    Rule() = default;
    virtual ~Rule() = default;
    Rule(const Rule&) = delete;
    Rule& operator=(const Rule&) = delete;

    /// Adds the gradient of its loss on a batch of new images, before every step.
    virtual void add_loss(Net& net, const Labelled& fresh);
    /// Adds the gradient of what it asks of the weights themselves.
    virtual void add_penalty(Net& /*net*/) {}
    /// A step was made.
    virtual void stepped(Net& /*net*/) {}
    /// The weights as they are now are those to be protected; the images are those of the block so far.
    virtual void consolidate(Net& /*net*/, const Samples& /*fresh*/) {}
    /// A block was learned.
    virtual void block_done(Net& /*net*/, const Labelled& /*block*/) {}
    /// What it keeps beyond the network.
    [[nodiscard]] virtual Kept kept() const { return {}; }
};

// The methods, each in a file of its own.

/// Synaptic intelligence (Zenke and others, 2017).
[[nodiscard]] std::unique_ptr<Rule> synaptic_intelligence(double strength);
/// Memory-aware synapses (Aljundi and others, 2018).
[[nodiscard]] std::unique_ptr<Rule> memory_aware_synapses(double strength);
/// Learning without forgetting (Li and Hoiem, 2018).
[[nodiscard]] std::unique_ptr<Rule> learning_without_forgetting(double strength);
/// Past images beside the new ones, as many of each class as of any other.
[[nodiscard]] std::unique_ptr<Rule> naive_replay(std::size_t capacity, std::uint64_t seed);
/// Dark experience replay ++ (Buzzega and others, 2020).
[[nodiscard]] std::unique_ptr<Rule> dark_experience(std::size_t capacity, double alpha, double beta,
                                                    std::uint64_t seed);
/// Experience replay with asymmetric cross-entropy (Caccia and others, 2022).
[[nodiscard]] std::unique_ptr<Rule> asymmetric_replay(std::size_t capacity, std::size_t classes,
                                                      std::uint64_t seed);

/// Weights that should stay near where they were, each as much as it mattered: the penalty that SI and MAS
/// share.
struct ProtectedWeights {
    std::vector<float> anchor; ///< where they were; empty: nothing is protected yet
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
