#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lab/protocol/context.h"
#include "lab/protocol/parallel.h"
#include "lab/protocol/pieces.h"
#include "lab/protocol/results.h"

namespace sprig::lab {

/// What is computed for every seed: somebody learns a stream, whoever it is and whatever he learns from.
struct Experiment {
    Work work;
    double seconds = 1;    ///< about how long a seed takes
    std::size_t ticks = 1; ///< how often a seed's work ticks
    std::function<SeedRun(std::uint64_t seed, const Tick& tick)> run;
};

/// One of our own learners on a stream of some material, which must outlive it. The networks are made with
/// the learner's own front end. `name` is that of its results: two experiments that differ need two names.
[[nodiscard]] Experiment experiment(std::string name, const LearnerChoice& setting, const Material& material,
                                    const Protocol& protocol, const StudyContext& context);

/// The same protocol with a shorter stream if the context asks for fewer images.
[[nodiscard]] Protocol limited(Protocol protocol, const StudyContext& context);
/// What a run hangs on beside the learner: the stream, and what is asked when.
[[nodiscard]] nlohmann::ordered_json json_of(const Protocol& protocol, const Material& material);

/// What each of them gave with all seeds, by the name of its work. What the context keeps is not computed
/// again; one that is there twice, by its name, is computed once.
[[nodiscard]] std::map<std::string, Results> run_experiments(const StudyContext& context,
                                                             const std::vector<Experiment>& experiments);

} // namespace sprig::lab
