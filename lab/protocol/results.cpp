#include "lab/protocol/results.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

// The fields of each type in JSON.
namespace sprig {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModelSize, positive, negative, singletons, nodes, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkCounts, reached, skipped, searches, visited, partial, gave_up)
namespace lab {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BrokenCounts, by_reintegration, by_refinement, by_movement)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AuditCounts, steps, checked_top_level, checked_chains, top_level, chains)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LearnTotals, created, refined, spawned, removed, reintegrated, work)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Scores, right, images, work, least_reached, most_reached)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ViewScores, all, filtered)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModelSizes, all, mature_5, mature_10, mature_20, mature_40)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Checkpoint, cycle, block, drawn, units, learned)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LargeCheckpoint, cycle, scores)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SampleCheckpoint, cycle, sample, drawn)
} // namespace lab
} // namespace sprig

namespace sprig::lab {

namespace {

std::optional<double> large_accuracy(const SeedRun& run, std::size_t cycle) {
    const LargeCheckpoint* checkpoint = large_end_of_cycle(run, cycle);
    if (checkpoint == nullptr) return std::nullopt;
    return checkpoint->scores.balanced();
}

/// The early accuracy on the large set.
std::optional<double> large_early(const SeedRun& run) {
    AccuracyMatrix ends(run.accuracy.cycles(), 1);
    for (std::size_t cycle = 0; cycle < ends.cycles(); ++cycle) {
        if (const std::optional<double> end = large_accuracy(run, cycle)) ends.set(cycle, 0, {*end});
    }
    return early_accuracy(ends);
}

void add_accuracies(NamedNumbers& numbers, const SeedRun& run) {
    const Scores& scores = final_scores(run);
    numbers.emplace_back("accuracy_final", scores.balanced());
    numbers.emplace_back("early", run.large.empty() ? early_accuracy(run.accuracy) : large_early(run));
    if (run.large.empty()) return;
    numbers.emplace_back("accuracy_final_plain", scores.plain());
    numbers.emplace_back("accuracy_final_drawn", final_accuracy(run.accuracy));
    numbers.emplace_back("early_drawn", early_accuracy(run.accuracy));
}

void add_retention(NamedNumbers& numbers, const std::string& suffix,
                   const std::optional<WithinCycleRetention>& retention) {
    const auto value = [&](double WithinCycleRetention::*which) -> std::optional<double> {
        if (!retention) return std::nullopt;
        return (*retention).*which;
    };
    numbers.emplace_back("wcr_end" + suffix, value(&WithinCycleRetention::end));
    numbers.emplace_back("wcr_worst" + suffix, value(&WithinCycleRetention::worst));
}

/// The mean number of units over the last fifth of the checkpoints, divided by that over the middle fifth;
/// not set if there are too few checkpoints.
std::optional<double> late_over_middle(const SeedRun& run) {
    const std::size_t count = run.checkpoints.size();
    if (count < 10) return {};
    const auto sum = [&](std::size_t from, std::size_t to) {
        double units = 0;
        for (std::size_t i = from; i < to; ++i)
            units += static_cast<double>(run.checkpoints[i].units.all.total());
        return units / static_cast<double>(to - from);
    };
    const double middle = sum(count * 2 / 5, count * 3 / 5);
    if (middle == 0) return {};
    return sum(count * 4 / 5, count) / middle;
}

void add_units(NamedNumbers& numbers, const Checkpoint& last) {
    const auto add = [&](const char* name, std::size_t count) {
        numbers.emplace_back(name, static_cast<double>(count));
    };
    add("units", last.units.all.total());
    add("units_positive", last.units.all.positive);
    add("units_negative", last.units.all.negative);
    add("singletons", last.units.all.singletons);
    add("nodes", last.units.all.nodes);
    add("bytes", last.units.all.bytes);
    add("units_mature_5", last.units.mature_5.total());
    add("units_mature_10", last.units.mature_10.total());
    add("units_mature_40", last.units.mature_40.total());
    numbers.emplace_back("units_reached", last.drawn.reached_per_observation());
}

void add_audits(NamedNumbers& numbers, const SeedRun& run) {
    for (const auto& audit : run.audits) {
        // Not a structured binding: clang 14 cannot capture one.
        const std::string& name = audit.first;
        const AuditCounts& counts = audit.second;
        const auto add = [&](const char* what, std::uint64_t count) {
            numbers.emplace_back("audit_" + name + what, static_cast<double>(count));
        };
        add("_top_checked", counts.checked_top_level);
        add("_top_by_refinement", counts.top_level.by_refinement);
        add("_top_by_movement", counts.top_level.by_movement);
        add("_top_by_reintegration", counts.top_level.by_reintegration);
        add("_chains_checked", counts.checked_chains);
        add("_chains_by_refinement", counts.chains.by_refinement);
        add("_chains_by_movement", counts.chains.by_movement);
        add("_chains_by_reintegration", counts.chains.by_reintegration);
    }
}

} // namespace

const Checkpoint* end_of_cycle(const SeedRun& run, std::size_t cycle) {
    const auto found = std::find_if(run.checkpoints.begin(), run.checkpoints.end(), [&](const auto& c) {
        return c.cycle == cycle && c.block + 1 == run.accuracy.classes();
    });
    return found == run.checkpoints.end() ? nullptr : &*found;
}

const LargeCheckpoint* large_end_of_cycle(const SeedRun& run, std::size_t cycle) {
    const auto found =
        std::find_if(run.large.begin(), run.large.end(), [&](const auto& c) { return c.cycle == cycle; });
    return found == run.large.end() ? nullptr : &*found;
}

const Scores& final_scores(const SeedRun& run) {
    // The last block is always evaluated.
    return run.large.empty() ? run.checkpoints.back().drawn : run.large.back().scores;
}

NamedNumbers numbers_of(const SeedRun& run) {
    NamedNumbers numbers;
    add_accuracies(numbers, run);
    add_retention(numbers, "", within_cycle_retention(run.accuracy, early_cycles));
    add_retention(numbers, "_all", within_cycle_retention(run.accuracy, run.accuracy.cycles()));
    numbers.emplace_back("retention_loss", retention_loss(run.accuracy));
    numbers.emplace_back("average_forgetting", average_forgetting(run.accuracy));
    numbers.emplace_back("backward_transfer", backward_transfer(run.accuracy));
    numbers.emplace_back("anytime_accuracy", anytime_accuracy(run.accuracy));
    numbers.emplace_back("prequential_accuracy",
                         static_cast<double>(run.prequential_correct) / static_cast<double>(run.steps));
    add_units(numbers, run.checkpoints.back());
    numbers.emplace_back("units_late_over_middle", late_over_middle(run));
    numbers.emplace_back("gave_up", static_cast<double>(run.learned.work.gave_up + run.read.gave_up));
    add_audits(numbers, run);
    return numbers;
}

Results::Results(std::vector<SeedRun> runs) : runs_(std::move(runs)) {
    if (runs_.empty()) throw usage_error("results need at least one seed");
    for (const SeedRun& run : runs_) numbers_.push_back(numbers_of(run));
}

std::vector<double> Results::values(std::string_view name) const {
    bool known = false;
    std::vector<double> found;
    for (const NamedNumbers& numbers : numbers_) {
        for (const auto& [its_name, value] : numbers) {
            if (its_name != name) continue;
            known = true;
            if (value) found.push_back(*value);
        }
    }
    if (!known) throw usage_error(fmt::format("there is no result named '{}'", name));
    return found;
}

std::optional<double> Results::mean_of(std::string_view name) const {
    return mean(values(name));
}

std::optional<double> Results::deviation_of(std::string_view name) const {
    return deviation(values(name));
}

NamedNumbers Results::means() const {
    NamedNumbers result = numbers_.front();
    for (auto& [name, value] : result) value = mean_of(name);
    return result;
}

namespace {

using SortedJson = nlohmann::json;

/// All numbers of a run are counts. The JSON library would convert other numbers silently.
void check_counts(const SortedJson& json) {
    if (json.is_boolean() || (json.is_number() && !json.is_number_unsigned()))
        throw bad_input("a count is not a non-negative integer");
    if (!json.is_structured()) return;
    for (const SortedJson& item : json) check_counts(item);
}

void check(const Scores& scores, std::size_t classes) {
    if (scores.right.size() != classes || scores.images.size() != classes)
        throw bad_input("not one count for each class");
    for (std::size_t c = 0; c < classes; ++c)
        if (scores.right[c] > scores.images[c])
            throw bad_input("more images are right than there are images");
}

/// An empty matrix, if its size is plausible.
AccuracyMatrix matrix_of(const SortedJson& json) {
    constexpr std::size_t max_blocks = 1'000'000;
    const auto cycles = json.at("cycles").get<std::size_t>();
    const auto classes = json.at("classes").get<std::size_t>();
    if (cycles == 0 || classes == 0 || cycles > max_blocks / classes)
        throw bad_input("the numbers of cycles and classes are not plausible");
    return {cycles, classes};
}

SeedRun checked_run(const SortedJson& json) {
    check_counts(json);
    SeedRun run{json.at("seed").get<std::uint64_t>(), {}, {}, matrix_of(json)};
    json.at("checkpoints").get_to(run.checkpoints);
    json.at("large").get_to(run.large);
    json.at("samples").get_to(run.samples);
    json.at("views").get_to(run.views);
    json.at("steps").get_to(run.steps);
    json.at("prequential_correct").get_to(run.prequential_correct);
    json.at("learned").get_to(run.learned);
    json.at("read").get_to(run.read);
    json.at("audits").get_to(run.audits);
    run.digest = std::stoull(json.at("digest").get<std::string>(), nullptr, 16);
    if (run.checkpoints.empty()) throw bad_input("there are no evaluations");
    for (const LargeCheckpoint& c : run.large) check(c.scores, run.accuracy.classes());
    for (const SampleCheckpoint& c : run.samples) check(c.drawn, run.accuracy.classes());
    for (const ViewScores& view : run.views) {
        check(view.all, run.accuracy.classes());
        check(view.filtered, run.accuracy.classes());
    }
    for (const Checkpoint& c : run.checkpoints) {
        check(c.drawn, run.accuracy.classes());
        run.accuracy.set(c.cycle, c.block, c.drawn.by_class());
    }
    return run;
}

} // namespace

nlohmann::ordered_json json_of(const SeedRun& run) {
    return SortedJson{{"seed", run.seed},
                      {"cycles", run.accuracy.cycles()},
                      {"classes", run.accuracy.classes()},
                      {"steps", run.steps},
                      {"prequential_correct", run.prequential_correct},
                      {"learned", run.learned},
                      {"read", run.read},
                      {"digest", fmt::format("{:016x}", run.digest)},
                      {"checkpoints", run.checkpoints},
                      {"large", run.large},
                      {"samples", run.samples},
                      {"views", run.views},
                      {"audits", run.audits}};
}

SeedRun run_of(const nlohmann::ordered_json& json) {
    try {
        return checked_run(json);
    } catch (const std::exception& error) {
        throw bad_input(fmt::format("cannot read a run: {}", error.what()));
    }
}

} // namespace sprig::lab
