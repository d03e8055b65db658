#include "lab/protocol/experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "vision/front_end_parameters.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

std::vector<const Experiment*> each_once(const std::vector<Experiment>& experiments) {
    std::vector<const Experiment*> once;
    for (const Experiment& experiment : experiments) {
        const auto known = std::ranges::find(once, experiment.key.name,
                                             [](const Experiment* other) { return other->key.name; });
        if (known == once.end()) {
            once.push_back(&experiment);
        } else if ((*known)->key.inputs != experiment.key.inputs) {
            throw std::logic_error("two different experiments are named " + experiment.key.name);
        }
    }
    return once;
}

WorkItem item_of(const Experiment& experiment, std::uint64_t seed) {
    return {experiment.key, seed, experiment.seconds, experiment.ticks,
            [&experiment, seed](const Tick& tick) { return json_of(experiment.run(seed, tick)); }};
}

} // namespace

Protocol limited(Protocol protocol, const StudyContext& context) {
    const std::size_t per_class = context.limited(protocol.cycles * protocol.per_block);
    protocol.per_block = std::min(protocol.per_block, per_class);
    protocol.cycles = std::max<std::size_t>(1, per_class / protocol.per_block);
    return protocol;
}

Json json_of(const Protocol& protocol, const ExperimentData& data) {
    Json json = {{"data", data.options.source()},
                 {"images", data.pool.size()},
                 {"cycles", protocol.cycles},
                 {"per_block", protocol.per_block},
                 {"held_out_per_class", protocol.held_out_per_class},
                 {"evaluate", name_of(protocol.evaluate)}};
    if (protocol.drawn_classes > 0) json["drawn_classes"] = protocol.drawn_classes;
    if (!protocol.sampled_cycles.empty()) json["sampled_cycles"] = protocol.sampled_cycles;
    for (const NamedAudit& audit : protocol.audits) json["audits"].push_back(audit.name);
    if (data.views.empty()) return json;
    json["learned_view"] = data.learned_view.name;
    json["held_out"] = name_of(data.options.held_out);
    json["held_out_images"] = data.held_out.size();
    for (const View& view : data.views) json["views"].push_back(view.name);
    return json;
}

Experiment experiment(std::string name, const LearnerChoice& setting, const ExperimentData& data,
                      const Protocol& protocol, const StudyContext& context) {
    const std::unique_ptr<Learner> learner = context.make(setting, 0);
    Json inputs = {{"learner", setting.learner}, {"version", learner->version()}};
    inputs["parameters"] = Json::parse(learner->parameters());
    inputs["front_end"] = Json::parse(sprig::to_json(learner->front_end()));
    inputs["protocol"] = json_of(protocol, data);
    const std::size_t ticks = protocol.ticks(data);
    constexpr double seconds_per_tick = 80e-6; // estimate, for the progress
    return {{std::move(name), inputs},
            static_cast<double>(ticks) * seconds_per_tick,
            ticks,
            [&data, &context, protocol, setting](std::uint64_t seed, const Tick& tick) {
                const auto make = [&](std::uint64_t of) { return context.make(setting, of); };
                return run_seed(data, protocol, make, seed, tick);
            }};
}

std::map<std::string, Results> run_experiments(const StudyContext& context,
                                               const std::vector<Experiment>& experiments,
                                               const std::function<void()>& prepare) {
    const std::vector<const Experiment*> once = each_once(experiments);
    std::vector<WorkItem> items;
    for (const Experiment* experiment : once)
        for (const std::uint64_t seed : context.seeds) items.push_back(item_of(*experiment, seed));
    const std::string title = fmt::format("{} experiments, {} seeds", once.size(), context.seeds.size());
    const std::vector<Json> computed = compute_items(context, items, title, prepare);
    std::map<std::string, Results> results;
    for (std::size_t e = 0; e < once.size(); ++e) {
        std::vector<SeedRun> runs;
        runs.reserve(context.seeds.size());
        for (std::size_t s = 0; s < context.seeds.size(); ++s)
            runs.push_back(run_of(computed[(e * context.seeds.size()) + s]));
        results.emplace(once[e]->key.name, Results(std::move(runs)));
    }
    return results;
}

} // namespace sprig::lab
