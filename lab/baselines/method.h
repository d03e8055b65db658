#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/baselines/strategy.h"
#include "lab/protocol/experiment.h"
#include "lab/protocol/protocol.h"

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

/// The same learner, shown ink or paper instead of grey levels: what Sprig's own eye sees.
[[nodiscard]] std::unique_ptr<Strategy> binarized(std::unique_ptr<Strategy> learner);

/// One way to learn, with all that was chosen for it.
struct Method {
    std::string name;   ///< of its results: its family and what tells it from others of it
    std::string family; ///< what a person asks for
    std::string title;
    nlohmann::ordered_json settings;
    MakeStrategy make;
    lab::Protocol protocol = {}; ///< the paper's, where the method does not say otherwise
    bool needs_network = false;
    double seconds = 5; ///< about how long a seed takes, for an estimate of what is left
};

/// Raised when a method gives other results than before: what was kept of it is then computed again.
inline constexpr int methods_version = 2;

/// A method on the stream that its protocol says.
[[nodiscard]] lab::Experiment experiment(const Method& method, const lab::Material& material,
                                         const lab::StudyContext& context);

} // namespace sprig::baselines
