#pragma once

#include <memory>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// Which reconstruction errors the threshold of an expert is computed from. The paper does not specify it.
struct ExpertErrors {
    bool by_block = false; ///< of each block, otherwise of each image
    bool learned = false;  ///< after it has learned the images, otherwise before; the first ones always after
};

/// Experts with autoencoders (Erden, 2025): the expert that reconstructs the images best learns and predicts
/// them. If its error is above its threshold, a new expert is made.
struct ExpertOptions {
    double reluctance = 2;  ///< k: the threshold in standard deviations above the mean error
    std::size_t batch = 5;  ///< number of images that are routed together
    std::size_t steps = 20; ///< gradient steps on each batch
    std::size_t most = 30;  ///< no expert is made if there are more than this
    /// Whether images that would need another expert then are learned by the nearest one, or not at all.
    bool learns_when_full = false;
    ExpertErrors errors = {};
};

[[nodiscard]] std::unique_ptr<Strategy> expert_routing(const Task& task, const ExpertOptions& options);

} // namespace sprig::baselines
