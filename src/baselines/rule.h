#pragma once

#include <memory>

#include "baselines/net.h"
#include "baselines/strategy.h"

namespace sprig::baselines {

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

} // namespace sprig::baselines
