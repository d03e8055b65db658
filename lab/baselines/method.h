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

/// Makes an untrained pixel-based learner. Called from several threads.
using MakeStrategy = std::function<std::unique_ptr<Strategy>(const Task& task)>;

/// The images of a data set as rows of grey levels from 0 to 1, by class.
[[nodiscard]] std::vector<Samples> pixels_of(const Dataset& data, const lab::ImagesByClass& images);

/// Runs a pixel-based learner like the lab's `run_seed`: the same images in the same order, and the same
/// evaluations, but a block is learned as a whole. In the model size, units are the parts of a method that
/// grows, bytes its memory use, and singletons its stored images. `tick` is called for every block.
[[nodiscard]] lab::SeedRun run_trial(const lab::ExperimentData& data, const lab::Protocol& protocol,
                                     const MakeStrategy& make, std::uint64_t seed,
                                     const lab::Tick& tick = {});

/// The same learner on binary images instead of grey levels, as Sprig's front end uses them.
[[nodiscard]] std::unique_ptr<Strategy> binarized(std::unique_ptr<Strategy> learner);

/// A learning method with its settings.
struct Method {
    std::string name;   ///< unique: the family and the settings that vary within it
    std::string family; ///< the name for --methods
    std::string title;
    nlohmann::ordered_json settings;
    MakeStrategy make;
    lab::Protocol protocol = {}; ///< default: the paper's
    bool needs_network = false;
    double seconds = 5; ///< approximate time of a seed, to estimate the remaining time
};

/// Increment when a method's results change, so that stored results are computed again.
inline constexpr int methods_version = 2;

/// A method on the stream of its protocol.
[[nodiscard]] lab::Experiment experiment(const Method& method, const lab::ExperimentData& data,
                                         const lab::StudyContext& context);

} // namespace sprig::baselines
