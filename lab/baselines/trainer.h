#pragma once

#include <memory>

#include "lab/baselines/net.h"
#include "lab/baselines/rules.h"
#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// How often a network is trained on new images.
struct Schedule {
    std::size_t batch = 5;   ///< new images in a batch; a block is divided into batches
    std::size_t steps = 20;  ///< gradient steps on each batch
    std::size_t cadence = 0; ///< steps between consolidations, over the whole stream; 0: never
};

/// A network that learns a stream by gradient steps, as a rule specifies.
class Trainer : public Strategy {
  public:
    Trainer(const Task& task, std::unique_ptr<Net> net, std::unique_ptr<Rule> rule, const Schedule& schedule);

    void observe(const Samples& images, std::size_t label) override;
    void predict(const Samples& images, std::vector<std::size_t>& answers) override;
    void rank(const Samples& images, std::size_t most,
              std::vector<std::vector<std::size_t>>& answers) override;
    [[nodiscard]] MemoryUse memory_use() const override;

  private:
    /// `so_far`: the images of the block up to and including the batch.
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

/// Stores all images and trains on them in random order at the first prediction: a reference for what the
/// same network reaches without the difficulty of the order.
[[nodiscard]] std::unique_ptr<Strategy> learn_at_once(const Task& task, std::unique_ptr<Net> net,
                                                      const AtOnceOptions& options);

} // namespace sprig::baselines
