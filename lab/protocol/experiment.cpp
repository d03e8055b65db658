#include "lab/protocol/experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "lab/protocol/pieces.h"
#include "lab/protocol/results.h"
#include "sprig/error.h"
#include "vision/front_end_parameters.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

std::vector<const Experiment*> each_once(const std::vector<Experiment>& experiments) {
    std::vector<const Experiment*> once;
    for (const Experiment& experiment : experiments) {
        const auto is_same = [&](const Experiment* other) {
            return other->work.name == experiment.work.name;
        };
        const auto known = std::ranges::find_if(once, is_same);
        if (known == once.end()) {
            once.push_back(&experiment);
        } else if ((*known)->work.what != experiment.work.what) {
            throw std::logic_error("two experiments are called " + experiment.work.name);
        }
    }
    return once;
}

Piece piece_of(const Experiment& experiment, std::uint64_t seed) {
    return {experiment.work, seed, experiment.seconds, experiment.ticks,
            [&experiment, seed](const Tick& tick) { return json_of(experiment.run(seed, tick)); }};
}

} // namespace

Protocol limited(Protocol protocol, const StudyContext& context) {
    const std::size_t per_class = context.limited(protocol.cycles * protocol.per_block);
    protocol.per_block = std::min(protocol.per_block, per_class);
    protocol.cycles = std::max<std::size_t>(1, per_class / protocol.per_block);
    return protocol;
}

Json json_of(const Protocol& protocol, const Material& material) {
    Json json = {{"data", material.source},
                 {"images", material.pool.size()},
                 {"cycles", protocol.cycles},
                 {"per_block", protocol.per_block},
                 {"held_out_per_class", protocol.held_out_per_class},
                 {"evaluate", name_of(protocol.evaluate)}};
    if (protocol.drawn_classes > 0) json["drawn_classes"] = protocol.drawn_classes;
    if (!protocol.sampled_cycles.empty()) json["sampled_cycles"] = protocol.sampled_cycles;
    for (const NamedAudit& audit : protocol.audits) json["audits"].push_back(audit.name);
    return json;
}

Experiment experiment(std::string name, const LearnerChoice& setting, const Material& material,
                      const Protocol& protocol, const StudyContext& context) {
    const std::unique_ptr<Learner> learner = context.make(setting, 0);
    Json what = {{"learner", setting.learner}, {"version", learner->version()}};
    what["parameters"] = Json::parse(learner->parameters());
    what["front_end"] = sprig::to_json(learner->front_end());
    what["protocol"] = json_of(protocol, material);
    const std::size_t ticks = protocol.ticks(material);
    constexpr double seconds_per_tick = 80e-6; // about: for an estimate of what is left
    return {{std::move(name), what},
            static_cast<double>(ticks) * seconds_per_tick,
            ticks,
            [&material, &context, protocol, setting](std::uint64_t seed, const Tick& tick) {
                const auto make = [&](std::uint64_t of) { return context.make(setting, of); };
                return run_seed(material, protocol, make, seed, tick);
            }};
}

std::map<std::string, Results> run_experiments(const StudyContext& context,
                                               const std::vector<Experiment>& experiments) {
    const std::vector<const Experiment*> once = each_once(experiments);
    std::vector<Piece> pieces;
    for (const Experiment* experiment : once)
        for (const std::uint64_t seed : context.seeds) pieces.push_back(piece_of(*experiment, seed));
    const std::vector<Json> gave = compute_pieces(
        context, pieces, fmt::format("{} experiments, {} seeds", once.size(), context.seeds.size()));
    std::map<std::string, Results> results;
    for (std::size_t e = 0; e < once.size(); ++e) {
        std::vector<SeedRun> runs;
        runs.reserve(context.seeds.size());
        for (std::size_t s = 0; s < context.seeds.size(); ++s)
            runs.push_back(run_of(gave[(e * context.seeds.size()) + s]));
        results.emplace(once[e]->work.name, Results(std::move(runs)));
    }
    return results;
}

} // namespace sprig::lab
