#pragma once

#include <map>
#include <string>
#include <vector>

#include "baselines/method.h"
#include "lab/kept_runs.h"
#include "lab/results.h"
#include "lab/study.h"

namespace sprig::baselines {

/// Somebody who learns the stream, whatever he learns from.
struct Contestant {
    lab::Work work;
    double seconds = 1;    ///< about how long a seed takes
    std::size_t ticks = 1; ///< how often a seed's work ticks
    std::function<lab::SeedRun(std::uint64_t seed, const lab::Tick& tick)> run;
};

[[nodiscard]] Contestant contestant(const Method& method, const lab::Material& material,
                                    const lab::StudyContext& context);
/// One of our own learners.
[[nodiscard]] Contestant contestant(const lab::LearnerSetting& setting, const lab::Material& material,
                                    const lab::StudyContext& context);

/// What each of them gave with all seeds, by the name of its work. What the context keeps is not computed
/// again.
[[nodiscard]] std::map<std::string, lab::Results> run_contest(const lab::StudyContext& context,
                                                              const std::vector<Contestant>& contestants);

} // namespace sprig::baselines
