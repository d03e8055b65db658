#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lab/protocol/context.h"
#include "lab/protocol/parallel.h"
#include "lab/protocol/results.h"
#include "lab/protocol/work_items.h"

namespace sprig::lab {

/// One learner on one stream, run for every seed.
struct Experiment {
    CacheKey key;          ///< its name is that of the results
    double seconds = 1;    ///< estimate, per seed
    std::size_t ticks = 1; ///< per seed
    std::function<SeedRun(std::uint64_t seed, const Tick& tick)> run;
};

/// An experiment with a learner of networks. `data` and `context` must outlive it. Networks are built with
/// the learner's front end. Different experiments need different names.
[[nodiscard]] Experiment experiment(std::string name, const LearnerChoice& setting,
                                    const ExperimentData& data, const Protocol& protocol,
                                    const StudyContext& context);

/// The same protocol with a shorter stream if the context limits the number of images.
[[nodiscard]] Protocol limited(Protocol protocol, const StudyContext& context);
/// All inputs of a run except the learner: the stream and the evaluations.
[[nodiscard]] nlohmann::ordered_json json_of(const Protocol& protocol, const ExperimentData& data);

/// The results of all seeds, by name of the experiment. Cached runs are not computed again; an experiment
/// that is listed twice is run once. `prepare` is called before the first run that is not cached.
[[nodiscard]] std::map<std::string, Results> run_experiments(const StudyContext& context,
                                                             const std::vector<Experiment>& experiments,
                                                             const std::function<void()>& prepare = {});

} // namespace sprig::lab
