#pragma once

#include <memory>

#include "lab/baselines/net.h"
#include "lab/baselines/rules.h"
#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// How often a network is trained on what it is shown.
struct Schedule {
    std::size_t batch = 5;   ///< new images at a time; a block is cut into such batches
    std::size_t steps = 20;  ///< gradient steps on each batch
    std::size_t cadence = 0; ///< steps between consolidations, over the whole stream; 0: never
};

/// A network that learns a stream by gradient steps, and what a rule adds to it.
class Trainer : public Strategy {
  public:
    Trainer(const Task& task, std::unique_ptr<Net> net, std::unique_ptr<Rule> rule, const Schedule& schedule);

    void observe(const Samples& images, std::size_t label) override;
    void predict(const Samples& images, std::vector<std::size_t>& answers) override;
    [[nodiscard]] Kept kept() const override;

  private:
    /// `so_far`: what came of its block until now, the batch included.
    void train(const Labelled& batch, const Samples& so_far);

    std::size_t classes_;
    std::unique_ptr<Net> net_;
    std::unique_ptr<Rule> rule_;
    Schedule schedule_;
    std::size_t steps_ = 0;
};

struct AtOnceOptions {
    std::size_t batch = 10;
    std::size_t epochs = 20;
};

/// Keeps all it is shown, and trains on it in a random order when it is first asked: what the same network
/// reaches if nothing about the order is hard.
[[nodiscard]] std::unique_ptr<Strategy> learn_at_once(const Task& task, std::unique_ptr<Net> net,
                                                      const AtOnceOptions& options);

} // namespace sprig::baselines
