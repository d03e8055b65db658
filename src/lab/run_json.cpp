#include "lab/run_json.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;
using lab::json_of; // those of the header, beside those that are only here

/// A whole number that is not negative. The library would convert anything else that is a number.
std::uint64_t count_of(const Json& json) {
    if (!json.is_number_unsigned()) throw bad_input("a count is not one");
    return json.get<std::uint64_t>();
}

/// Just so many counts.
template <std::size_t size>
std::array<std::uint64_t, size> counts_of(const Json& json) {
    if (!json.is_array() || json.size() != size) throw bad_input("not as many counts as there should be");
    std::array<std::uint64_t, size> counts = {};
    for (std::size_t i = 0; i < size; ++i) counts[i] = count_of(json[i]);
    return counts;
}

std::vector<std::size_t> list_of(const Json& json) {
    if (!json.is_array()) throw bad_input("counts by class are no list");
    std::vector<std::size_t> counts;
    counts.reserve(json.size());
    for (const Json& item : json) counts.push_back(count_of(item));
    return counts;
}

Json json_of(const WorkCounts& work) {
    return {work.reached, work.skipped, work.searches, work.visited, work.partial, work.gave_up};
}

WorkCounts work_of(const Json& json) {
    const auto n = counts_of<6>(json);
    return {n[0], n[1], n[2], n[3], n[4], n[5]};
}

Json json_of(const LearnTotals& totals) {
    return {{"events", {totals.created, totals.refined, totals.spawned, totals.removed, totals.reintegrated}},
            {"work", json_of(totals.work)}};
}

LearnTotals totals_of(const Json& json) {
    const auto n = counts_of<5>(json.at("events"));
    return {n[0], n[1], n[2], n[3], n[4], work_of(json.at("work"))};
}

Json json_of(const Scores& scores) {
    return {{"right", scores.right},
            {"images", scores.images},
            {"work", json_of(scores.work)},
            {"reached", {scores.least_reached, scores.most_reached}}};
}

Scores scores_of(const Json& json) {
    const auto reached = counts_of<2>(json.at("reached"));
    Scores scores{list_of(json.at("right")), list_of(json.at("images")), work_of(json.at("work")), reached[0],
                  reached[1]};
    if (scores.right.size() != scores.images.size()) throw bad_input("not one count for each class");
    for (std::size_t c = 0; c < scores.right.size(); ++c)
        if (scores.right[c] > scores.images[c]) throw bad_input("more images were right than there are");
    return scores;
}

Json json_of(const Checkpoint& c) {
    const Growth& units = c.units;
    return {{"cycle", c.cycle},
            {"block", c.block},
            {"drawn", json_of(c.drawn)},
            {"units",
             {json_of(units.all), json_of(units.mature_5), json_of(units.mature_10), json_of(units.mature_20),
              json_of(units.mature_40)}},
            {"learned", json_of(c.learned)}};
}

Checkpoint checkpoint_of(const Json& json) {
    const Json& units = json.at("units");
    return {count_of(json.at("cycle")),
            count_of(json.at("block")),
            scores_of(json.at("drawn")),
            {census_of(units.at(0)), census_of(units.at(1)), census_of(units.at(2)), census_of(units.at(3)),
             census_of(units.at(4))},
            totals_of(json.at("learned"))};
}

/// An empty matrix of the size that is asked for, if that is one that somebody can have computed.
AccuracyMatrix matrix_of(const Json& json) {
    constexpr std::size_t most_blocks = 1'000'000;
    const auto cycles = count_of(json.at("cycles"));
    const auto classes = count_of(json.at("classes"));
    if (cycles == 0 || classes == 0 || cycles > most_blocks / classes) throw bad_input("no such stream");
    return {cycles, classes};
}

SeedRun checked_run(const Json& json) {
    SeedRun run{count_of(json.at("seed")), {}, {}, matrix_of(json)};
    for (const Json& item : json.at("checkpoints")) {
        const Checkpoint& c = run.checkpoints.emplace_back(checkpoint_of(item));
        run.accuracy.set(c.cycle, c.block, c.drawn.by_class());
    }
    if (run.checkpoints.empty()) throw bad_input("nothing was evaluated");
    for (const Json& item : json.at("large"))
        run.large.push_back({count_of(item.at("cycle")), scores_of(item.at("scores"))});
    for (const Json& item : json.at("samples"))
        run.samples.push_back(
            {count_of(item.at("cycle")), count_of(item.at("sample")), scores_of(item.at("drawn"))});
    run.steps = count_of(json.at("steps"));
    run.anticipated = count_of(json.at("anticipated"));
    run.learned = totals_of(json.at("learned"));
    run.read = work_of(json.at("read"));
    run.digest = std::stoull(json.at("digest").get<std::string>(), nullptr, 16);
    return run;
}

} // namespace

Json json_of(const Census& census) {
    return {census.positive, census.negative, census.singletons, census.nodes, census.bytes};
}

Census census_of(const Json& json) {
    const auto n = counts_of<5>(json);
    return {n[0], n[1], n[2], n[3], n[4]};
}

Json json_of(const SeedRun& run) {
    Json json = {{"seed", run.seed},
                 {"cycles", run.accuracy.cycles()},
                 {"classes", run.accuracy.classes()},
                 {"steps", run.steps},
                 {"anticipated", run.anticipated},
                 {"learned", json_of(run.learned)},
                 {"read", json_of(run.read)},
                 {"digest", fmt::format("{:016x}", run.digest)},
                 {"checkpoints", Json::array()},
                 {"large", Json::array()},
                 {"samples", Json::array()}};
    for (const Checkpoint& c : run.checkpoints) json["checkpoints"].push_back(json_of(c));
    for (const LargeCheckpoint& c : run.large)
        json["large"].push_back({{"cycle", c.cycle}, {"scores", json_of(c.scores)}});
    for (const SampleCheckpoint& c : run.samples)
        json["samples"].push_back({{"cycle", c.cycle}, {"sample", c.sample}, {"drawn", json_of(c.drawn)}});
    return json;
}

SeedRun run_of(const Json& json) {
    try {
        return checked_run(json);
    } catch (const std::exception& error) {
        // From the JSON library, from a number's conversion or from a matrix that the numbers do not fit.
        throw bad_input(fmt::format("a run cannot be read: {}", error.what()));
    }
}

} // namespace sprig::lab
