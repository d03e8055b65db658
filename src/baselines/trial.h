#pragma once

#include <functional>
#include <memory>

#include "baselines/strategy.h"
#include "lab/protocol.h"

namespace sprig::baselines {

/// Makes a learner of pixels that has seen nothing yet. Called from several threads.
using MakeStrategy = std::function<std::unique_ptr<Strategy>(const Task& task)>;

/// The images of a data set as rows of grey levels from 0 to 1, by class.
[[nodiscard]] std::vector<Samples> pixels_of(const Dataset& data, const lab::ImagesByClass& images);

/// What the lab's `run_seed` is for a learner of networks: the same images in the same order, and the same
/// evaluations. A block comes as a whole. Where the lab counts units it is the parts of a method
/// that grows; its bytes are all that has to be kept, its singletons the past images among that. `tick` is
/// called for every block.
[[nodiscard]] lab::SeedRun run_trial(const lab::Material& material, const lab::Protocol& protocol,
                                     const MakeStrategy& make, std::uint64_t seed,
                                     const lab::Tick& tick = {});

} // namespace sprig::baselines
