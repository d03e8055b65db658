#pragma once

#include <memory>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// Which errors an expert's usual ones are: the paper does not say.
struct ExpertErrors {
    bool by_block = false; ///< the mean of each block, or that of each image
    bool learned = false;  ///< after it has learned the images, or before; the first ones always after
};

/// Experts behind autoencoders (Erden, 2025): whoever reconstructs some images best learns and answers for
/// them. If nobody does it well enough, a new expert is made.
struct ExpertOptions {
    double reluctance = 2;  ///< k: how many deviations above the usual error are still well enough
    std::size_t batch = 5;  ///< images that are routed together
    std::size_t steps = 20; ///< gradient steps on each batch
    std::size_t most = 30;  ///< with more experts than this no other is made
    /// What would need another expert then: the nearest one learns it, or nobody does.
    bool learns_when_full = false;
    ExpertErrors errors = {};
};

[[nodiscard]] std::unique_ptr<Strategy> expert_routing(const Task& task, const ExpertOptions& options);

} // namespace sprig::baselines
