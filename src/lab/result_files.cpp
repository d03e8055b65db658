#include "lab/result_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/version.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

void add(Json& json, const NamedNumbers& numbers) {
    for (const auto& [name, value] : numbers) json[name] = value ? Json(*value) : Json(nullptr);
}

Json object_of(const NamedNumbers& numbers) {
    Json json = Json::object();
    add(json, numbers);
    return json;
}

Json run_json(const Results& results, std::size_t index) {
    const SeedRun& run = results.runs()[index];
    Json json = {{"seed", run.seed}};
    add(json, results.numbers(index));
    json["accuracy_by_class"] = final_scores(run).by_class();
    json["digest"] = fmt::format("{:016x}", run.digest);
    return json;
}

Json seeds_json(const Results& results) {
    Json seeds = Json::array();
    for (const SeedRun& run : results.runs()) seeds.push_back(run.seed);
    return seeds;
}

Json settings_json(const Description& what) {
    Json settings = Json::object();
    for (const auto& [key, value] : what.settings) settings[key] = value;
    return settings;
}

Json protocol_json(const Description& what) {
    return {{"pool", name_of(what.material.pool)},
            {"pool_images", what.pool_images},
            {"filtered", what.material.filtered},
            {"held_out", name_of(what.material.held_out)},
            {"held_out_images", what.large_images > 0
                                    ? what.large_images
                                    : what.protocol.held_out_per_class * what.classes.size()},
            {"classes", what.classes},
            {"cycles", what.protocol.cycles},
            {"per_block", what.protocol.per_block},
            {"drawn_per_class", what.protocol.held_out_per_class},
            {"evaluate", name_of(what.protocol.evaluate)}};
}

Json parameters_json(const Description& what) {
    Json parameters = Json::parse(what.parameters, nullptr, false);
    if (parameters.is_discarded())
        throw failed(fmt::format("what the learner {} says about its parameters is not JSON", what.learner));
    return parameters;
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void add_rows(std::string& csv, const Description& what, const std::string& begin, const Scores& scores) {
    const std::vector<double> accuracies = scores.by_class();
    for (std::size_t c = 0; c < accuracies.size(); ++c) {
        csv += fmt::format("{},{},{},{}\n", begin, what.classes[c], scores.images[c], accuracies[c]);
    }
}

} // namespace

Json summary_json(const Description& what, const Results& results) {
    Json json = {{"sprig", SPRIG_VERSION},
                 {"learner", what.learner},
                 {"preset", what.preset},
                 {"settings", settings_json(what)},
                 {"parameters", parameters_json(what)},
                 {"protocol", protocol_json(what)},
                 {"seeds", seeds_json(results)},
                 {"mean", object_of(results.means())},
                 {"sd", object_of(results.deviations())},
                 {"accuracy_by_class", results.final_by_class()}};
    Json& runs = json["runs"] = Json::array();
    for (std::size_t i = 0; i < results.runs().size(); ++i) runs.push_back(run_json(results, i));
    return json;
}

Json report_json(const Description& what, const Results& results) {
    Json json = {{"learner", what.learner},
                 {"preset", what.preset},
                 {"settings", settings_json(what)},
                 {"protocol", protocol_json(what)},
                 {"seeds", seeds_json(results)}};
    add(json, results.means());
    const std::optional<double> spread = results.deviation_of("accuracy_final");
    json["accuracy_final_sd"] = spread ? Json(*spread) : Json(nullptr);
    json["accuracy_by_class"] = results.final_by_class();
    json["seconds"] = results.seconds_per_seed();
    json["sd"] = object_of(results.deviations());
    Json& runs = json["runs"] = Json::array();
    for (std::size_t i = 0; i < results.runs().size(); ++i) {
        runs.push_back(run_json(results, i));
        runs.back()["seconds"] = results.runs()[i].times.all();
    }
    return json;
}

Json times_json(const Results& results) {
    Json runs = Json::array();
    for (const SeedRun& run : results.runs()) {
        runs.push_back({{"seed", run.seed},
                        {"seconds", run.times.all()},
                        {"extracting", run.times.extracting},
                        {"learning", run.times.learning},
                        {"predicting", run.times.predicting},
                        {"evaluating", run.times.evaluating}});
    }
    return {{"seconds_per_seed", results.seconds_per_seed()}, {"runs", std::move(runs)}};
}

std::string evaluations_csv(const Description& what, const Results& results) {
    std::string csv = "seed,held_out,cycle,block,class,images,accuracy\n";
    for (const SeedRun& run : results.runs()) {
        for (const Checkpoint& c : run.checkpoints) {
            const std::string begin =
                fmt::format("{},{},{},{}", run.seed, name_of(HeldOut::paper), c.cycle, c.block);
            add_rows(csv, what, begin, c.drawn);
        }
        for (const LargeCheckpoint& c : run.large) {
            const std::string begin = fmt::format("{},{},{},{}", run.seed, name_of(what.material.held_out),
                                                  c.cycle, what.classes.size() - 1);
            add_rows(csv, what, begin, c.scores);
        }
    }
    return csv;
}

std::string growth_csv(const Results& results) {
    std::string csv = "seed,cycle,block,units,positive,negative,singletons,nodes,bytes,mature_5,mature_10,"
                      "mature_40,reached_per_observation,"
                      "skipped,searches,visited,partial,gave_up,created,refined,spawned,removed,reintegrated,"
                      "learning_gave_up\n";
    for (const SeedRun& run : results.runs()) {
        for (const Checkpoint& c : run.checkpoints) {
            const WorkCounts& work = c.drawn.work;
            csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},", run.seed, c.cycle, c.block,
                               c.units.all.total(), c.units.all.positive, c.units.all.negative,
                               c.units.all.singletons, c.units.all.nodes, c.units.all.bytes,
                               c.units.mature_5.total(), c.units.mature_10.total(), c.units.mature_40.total(),
                               c.drawn.reached_per_observation());
            csv += fmt::format("{},{},{},{},{},", work.skipped, work.searches, work.visited, work.partial,
                               work.gave_up);
            csv += fmt::format("{},{},{},{},{},{}\n", c.learned.created, c.learned.refined, c.learned.spawned,
                               c.learned.removed, c.learned.reintegrated, c.learned.work.gave_up);
        }
    }
    return csv;
}

void write_results(const std::filesystem::path& folder, const Description& what, const Results& results) {
    write_file_atomically(folder / "evaluations.csv", evaluations_csv(what, results));
    write_file_atomically(folder / "growth.csv", growth_csv(results));
    write_file_atomically(folder / "summary.json", text_of(summary_json(what, results)));
    write_file_atomically(folder / "times.json", text_of(times_json(results)));
}

} // namespace sprig::lab
