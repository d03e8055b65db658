#include "lab/studies/paper_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "lab/report/chart.h"
#include "lab/report/comparison.h"
#include "lab/studies/digits.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::lab {

namespace {

/// One of the chosen learners, on its data.
struct Run {
    LearnerChoice setting;
    const ExperimentData& data;
    Protocol protocol;
    std::string title = {};
    std::string name = {}; ///< of its experiment

    [[nodiscard]] Entry entry() const { return {title, name}; }
};

/// The ways of matching under which a learner's guarantee is audited.
std::vector<NamedAudit> audits_of(const Learner& learner) {
    if (dynamic_cast<const Modeller*>(&learner) == nullptr) {
        throw usage_error(fmt::format("--audit checks the guarantee of the Modeller; {} has another one, "
                                      "that learning a class does not change the others: see docs/method.md",
                                      learner.name()));
    }
    const auto with = [](ModellerParams::Chains chains) {
        return [chains](const Learner& audited) {
            const auto& modeller = dynamic_cast<const Modeller&>(audited);
            ModellerParams params = modeller.params();
            params.chains = chains;
            return modeller.reader(params);
        };
    };
    return {{"anchored", with(ModellerParams::Chains::anchored)},
            {"unified", with(ModellerParams::Chains::unified)}};
}

/// Whether a learner guarantees that refinement breaks no match.
bool guarantees_preservation(const Learner& learner) {
    const auto* modeller = dynamic_cast<const Modeller*>(&learner);
    if (modeller == nullptr) return false;
    // With an error bound or a position gate, presence depends on running means, which move.
    using Gate = ModellerParams::PositionGate;
    const Gate gate = modeller->params().position_gate;
    return std::isinf(modeller->params().max_error) && (gate == Gate::none || gate == Gate::suppressors);
}

/// A broken guarantee is a failure, not a result.
void check_guarantee(StudyResult& result, const Learner& learner, const Results& results) {
    // A search that gave up may have missed a match.
    if (!guarantees_preservation(learner) || results.mean_of("gave_up") != 0.0) {
        result.notes.emplace_back(
            "With these parameters there is no guarantee: the counts of the audit are for information.");
        return;
    }
    for (const SeedRun& run : results.runs()) {
        for (const auto& [name, counts] : run.audits) {
            const std::uint64_t broken = counts.top_level.by_refinement + counts.top_level.by_movement;
            if (broken > 0 && !result.failure)
                result.failure =
                    fmt::format("the guarantee does not hold: in seed {} refinement or moving means broke "
                                "{} matches of first-level units; please report this",
                                run.seed, broken);
        }
    }
}

Run run_of(const LearnerChoice& setting, const CustomStream& custom, DataCache& cache,
           const StudyContext& context) {
    Run run{setting, cache.get(custom.data, setting), limited(custom.protocol, context)};
    if (custom.audit) run.protocol.audits = audits_of(*context.make(setting, context.seeds.front()));
    run.title = fmt::format("{}, {}", setting.learner, setting.preset);
    run.name = setting.learner + "-" + setting.preset;
    if (!setting.settings.empty()) run.name += "-set";
    if (custom.data.held_out != HeldOut::paper) run.name += fmt::format("-{}", name_of(custom.data.held_out));
    return run;
}

Measure large_accuracy_after(std::size_t cycle) {
    return {"", 4, [cycle](const SeedRun& run) -> std::optional<double> {
                const LargeCheckpoint* end = large_end_of_cycle(run, cycle);
                if (end == nullptr) return std::nullopt;
                return end->scores.balanced();
            }};
}

bool is_shown(std::size_t cycle, std::size_t cycles) {
    constexpr std::array<std::size_t, 7> shown = {0, 1, 2, 5, 10, 15, 19};
    return cycle + 1 == cycles || std::ranges::count(shown, cycle) > 0;
}

StudyTable cycles_table(const std::vector<Run>& runs, const ResultsByName& results, HeldOut held_out) {
    StudyTable table{"cycles", "Along the stream", {"learner", "cycle", "accuracy", "sd"}};
    const bool has_large = held_out != HeldOut::paper;
    if (has_large) table.header.insert(table.header.end(), {name_of(held_out), "sd"});
    table.header.insert(table.header.end(), {"units", "singletons", "nodes", "KiB"});
    for (const Run& run : runs) {
        const Results& own = results.at(run.name);
        for (std::size_t cycle = 0; cycle < run.protocol.cycles; ++cycle) {
            const std::vector<double> drawn = values_of(own, accuracy_after(cycle));
            const std::vector<double> large = values_of(own, large_accuracy_after(cycle));
            if (!is_shown(cycle, run.protocol.cycles) || (drawn.empty() && large.empty())) continue;
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(run.title), cell(cycle)};
            add_mean(row, drawn, 4);
            if (has_large) add_mean(row, large, 4);
            const auto add = [&](std::size_t (*count)(const ModelSizes&)) {
                row.push_back(cell(mean(values_of(own, units_after("", cycle, count))), 1));
            };
            add([](const ModelSizes& units) { return units.all.total(); });
            add([](const ModelSizes& units) { return units.all.singletons; });
            add([](const ModelSizes& units) { return units.all.nodes; });
            add([](const ModelSizes& units) { return (units.all.bytes + 512) / 1024; });
        }
    }
    return table;
}

/// Number of decimals: four for accuracies and ratios, one for counts.
int digits_of(const std::string& name) {
    if (name == "units_late_over_middle") return 4;
    const bool counts = name.starts_with("units") || name.starts_with("audit") || name == "gave_up" ||
                        name == "nodes" || name == "bytes" || name == "singletons";
    return counts ? 1 : 4;
}

std::vector<StudyTable> tables_of(const std::vector<Run>& runs, const ResultsByName& results,
                                  HeldOut held_out) {
    std::vector<Entry> entries;
    entries.reserve(runs.size());
    for (const Run& run : runs) entries.push_back(run.entry());
    std::vector<Measure> by_class;
    const std::vector<std::string>& classes = runs.front().data.dataset.classes();
    for (std::size_t c = 0; c < classes.size(); ++c) by_class.push_back(final_accuracy_of(classes[c], c));
    std::vector<Measure> measures;
    for (const auto& number : results.at(runs.front().name).means())
        measures.push_back(metric(number.first, number.first, digits_of(number.first)));
    return {cycles_table(runs, results, held_out),
            measures_as_rows("per-class", "Final accuracy by class", by_class, entries, results),
            measures_as_rows("measures", "All measures", measures, entries, results)};
}

/// A row for each experiment, seed, evaluation and class.
StudyTable evaluations_of(const std::vector<Run>& runs, const ResultsByName& results, HeldOut held_out) {
    StudyTable table{"evaluations",
                     "Every evaluation",
                     {"experiment", "seed", "held_out", "cycle", "block", "class", "images", "accuracy"}};
    for (const Run& run : runs) {
        const std::vector<std::string>& classes = run.data.dataset.classes();
        for (const SeedRun& of_seed : results.at(run.name).runs()) {
            const auto add = [&](HeldOut held_out_set, std::size_t cycle, std::size_t block,
                                 const Scores& scores) {
                const std::vector<double> accuracies = scores.by_class();
                for (std::size_t c = 0; c < accuracies.size(); ++c)
                    table.rows.push_back({cell(run.name), cell(std::to_string(of_seed.seed)),
                                          cell(name_of(held_out_set)), cell(cycle), cell(block),
                                          cell(classes[c]), cell(scores.images[c]), cell(accuracies[c], 6)});
            };
            for (const Checkpoint& c : of_seed.checkpoints) add(HeldOut::paper, c.cycle, c.block, c.drawn);
            for (const LargeCheckpoint& c : of_seed.large)
                add(held_out, c.cycle, classes.size() - 1, c.scores);
        }
    }
    return table;
}

/// A row for each experiment, seed and evaluation: the size of the model and the work of predictions.
StudyTable growth_of(const std::vector<Run>& runs, const ResultsByName& results) {
    StudyTable table{"growth", "Units and work", {"experiment",      "seed",
                                                  "cycle",           "block",
                                                  "units",           "positive",
                                                  "negative",        "singletons",
                                                  "nodes",           "bytes",
                                                  "mature_5",        "mature_10",
                                                  "mature_40",       "reached_per_observation",
                                                  "skipped",         "searches",
                                                  "visited",         "partial",
                                                  "gave_up",         "created",
                                                  "refined",         "spawned",
                                                  "removed",         "reintegrated",
                                                  "learning_gave_up"}};
    for (const Run& run : runs) {
        for (const SeedRun& of_seed : results.at(run.name).runs()) {
            for (const Checkpoint& c : of_seed.checkpoints) {
                const ModelSize& all = c.units.all;
                const WorkCounts& work = c.drawn.work;
                std::vector<Cell>& row = table.rows.emplace_back();
                row = {cell(run.name), cell(std::to_string(of_seed.seed))};
                for (const std::size_t count :
                     {c.cycle, c.block, all.total(), all.positive, all.negative, all.singletons, all.nodes,
                      all.bytes, c.units.mature_5.total(), c.units.mature_10.total(),
                      c.units.mature_40.total()})
                    row.push_back(cell(count));
                row.push_back(cell(c.drawn.reached_per_observation(), 6));
                for (const std::uint64_t count :
                     {work.skipped, work.searches, work.visited, work.partial, work.gave_up})
                    row.push_back(cell(std::size_t{count}));
                for (const std::size_t count : {c.learned.created, c.learned.refined, c.learned.spawned,
                                                c.learned.removed, c.learned.reintegrated})
                    row.push_back(cell(count));
                row.push_back(cell(std::size_t{c.learned.work.gave_up}));
            }
        }
    }
    return table;
}

std::vector<StudyChart> charts_of(const std::vector<Run>& runs, const ResultsByName& results) {
    std::vector<StudyChart> charts;
    for (const Run& run : runs) {
        if (run.protocol.evaluate != EvaluateAt::blocks) continue; // too few points for a line
        const Results& own = results.at(run.name);
        const std::string seeds =
            fmt::format("mean over {} seed{}", own.runs().size(), own.runs().size() == 1 ? "" : "s");
        charts.push_back(
            {"retention-" + run.name,
             retention_chart(run.title + ": accuracy by class along the stream", own,
                             run.data.dataset.classes()),
             fmt::format("Accuracy of each class on held-out images after every block, {}.", seeds)});
        charts.push_back({"growth-" + run.name, growth_chart("Units along the stream: " + run.title, own),
                          fmt::format("Units after every block, {}.", seeds)});
    }
    return charts;
}

/// The units of the first seed's model. Cached runs have no units, so the model is trained again, which is
/// fast compared with the evaluations.
StudyFigure units_of(const Run& run, const SeedRun& first, const StudyContext& context) {
    const std::unique_ptr<Learner> learner = context.make(run.setting, first.seed);
    const Dataset& data = run.data.dataset;
    const Protocol& protocol = run.protocol;
    const Draw drawn = draw(data, run.data.pool, first.seed, protocol.cycles * protocol.per_block,
                            protocol.held_out_per_class);
    FrontEnd front_end(learner->front_end());
    teach(*learner, data.classes(), extract(data, drawn.stream, front_end), {}, protocol.per_block);
    if (learner->digest() != first.digest) throw std::logic_error("a seed gave two different models");
    UnitSheetOptions options;
    options.title = fmt::format("Units: {}, seed {}", run.title, first.seed);
    return {fmt::format("units-{}.svg", run.name), draw_units(learner->units(), options),
            "The units of the first seed."};
}

std::string describe_stream(const Run& run, const CustomStream& custom) {
    const std::size_t large = run.data.large_size();
    std::string text =
        fmt::format("The stream: {} cycles of {} classes with {} new images each, drawn by seed from {} "
                    "images of {}{}. Accuracy: on {} images per class drawn with the stream",
                    run.protocol.cycles, run.protocol.classes(run.data), run.protocol.per_block,
                    run.data.pool.size(), run.data.options.source(),
                    custom.data.filtered ? "" : ", unfiltered", run.protocol.held_out_per_class);
    if (large > 0)
        text += fmt::format("; {}: on {} images, mean over classes", name_of(custom.data.held_out), large);
    return text + ".";
}

} // namespace

StudyResult run_custom_stream(const StudyContext& context, const CustomStream& custom) {
    DataCache cache(context);
    std::vector<Run> runs;
    std::vector<Experiment> experiments;
    for (const LearnerChoice& setting : custom.learners) {
        runs.push_back(run_of(setting, custom, cache, context));
        const Run& run = runs.back();
        experiments.push_back(experiment(run.name, setting, run.data, run.protocol, context));
    }
    const HeldOut held_out = custom.data.held_out;
    StudyResult result;
    const ResultsByName results = run_and_record(context, experiments, result);
    result.tables = tables_of(runs, results, held_out);
    result.files.push_back(evaluations_of(runs, results, held_out));
    result.files.push_back(growth_of(runs, results));
    result.charts = charts_of(runs, results);
    result.notes = {describe_stream(runs.front(), custom), "docs/protocol.md defines all measures."};
    for (const Run& run : runs) {
        const Results& own = results.at(run.name);
        result.figures.push_back(units_of(run, own.runs().front(), context));
        if (custom.audit) check_guarantee(result, *context.make(run.setting, context.seeds.front()), own);
    }
    return result;
}

} // namespace sprig::lab
