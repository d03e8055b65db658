#include "lab/studies/paper_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "lab/report/chart.h"
#include "lab/report/comparison.h"
#include "sprig/draw_model.h"
#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig::lab {

namespace {

/// One of the learners that were asked for, and all that it gave.
struct Run {
    LearnerChoice setting;
    const Material& material;
    Protocol protocol;
    std::string title = {};
    std::string name = {}; ///< of its experiment

    [[nodiscard]] Entry entry() const { return {title, name}; }
};

/// Under which ways of matching a learner's guarantee is audited.
std::vector<NamedAudit> audits_of(const Learner& learner) {
    if (dynamic_cast<const Modeller*>(&learner) == nullptr) {
        throw usage_error(fmt::format("--audit checks what the Modeller promises; {} promises something "
                                      "else, that no class touches another: see docs/method.md",
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

/// Whether a learner promises that refinement breaks nothing.
bool promises_preservation(const Learner& learner) {
    const auto* modeller = dynamic_cast<const Modeller*>(&learner);
    if (modeller == nullptr) return false;
    // With a bound on the error or a gate, presence depends on running means, and those move.
    using Gate = ModellerParams::PositionGate;
    const Gate gate = modeller->params().position_gate;
    return std::isinf(modeller->params().max_error) && (gate == Gate::none || gate == Gate::suppressors);
}

/// The guarantee is not a number to look at: if it does not hold, the work failed.
void check_promise(StudyResult& result, const Learner& learner, const Results& results) {
    // A search that gave up may have missed what is there.
    if (!promises_preservation(learner) || results.mean_of("gave_up") != 0.0) {
        result.notes.emplace_back(
            "With these parameters nothing is promised: the audit's counts are for looking at.");
        return;
    }
    for (const SeedRun& run : results.runs()) {
        for (const auto& [name, counts] : run.audits) {
            const std::uint64_t broken = counts.top_level.by_refinement + counts.top_level.by_movement;
            if (broken > 0 && !result.failure)
                result.failure =
                    fmt::format("the guarantee does not hold: in seed {} refinement or moved means broke {} "
                                "matches of first-level units; please report this",
                                run.seed, broken);
        }
    }
}

Run run_of(const LearnerChoice& setting, const AskedStream& asked, Materials& materials,
           const StudyContext& context) {
    Run run{setting, materials.get(asked.material, setting), limited(asked.protocol, context)};
    if (asked.audit) run.protocol.audits = audits_of(*context.make(setting, context.seeds.front()));
    run.title = fmt::format("{}, {}", setting.learner, setting.preset);
    run.name = setting.learner + "-" + setting.preset;
    if (!setting.settings.empty()) run.name += "-set";
    if (asked.material.held_out != HeldOut::paper)
        run.name += fmt::format("-{}", name_of(asked.material.held_out));
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
            const auto add = [&](std::size_t (*count)(const Growth&)) {
                row.push_back(cell(mean(values_of(own, units_after("", cycle, count))), 1));
            };
            add([](const Growth& units) { return units.all.total(); });
            add([](const Growth& units) { return units.all.singletons; });
            add([](const Growth& units) { return units.all.nodes; });
            add([](const Growth& units) { return (units.all.bytes + 512) / 1024; });
        }
    }
    return table;
}

/// How many digits a result deserves: accuracies and ratios four, counts one.
int digits_of(const std::string& name) {
    if (name == "units_late_over_middle") return 4;
    const bool counts = name.starts_with("units") || name.starts_with("audit") || name == "gave_up" ||
                        name == "nodes" || name == "bytes" || name == "singletons";
    return counts ? 1 : 4;
}

std::vector<StudyTable> tables_of(const std::vector<Run>& runs, const ResultsByName& results,
                                  HeldOut held_out) {
    std::vector<Entry> entries;
    for (const Run& run : runs) entries.push_back(run.entry());
    std::vector<Measure> by_class;
    const std::vector<std::string>& classes = runs.front().material.data.classes();
    for (std::size_t c = 0; c < classes.size(); ++c) by_class.push_back(final_accuracy_of(classes[c], c));
    std::vector<Measure> measures;
    for (const auto& number : results.at(runs.front().name).means())
        measures.push_back(named(number.first, number.first, digits_of(number.first)));
    return {cycles_table(runs, results, held_out),
            columns_of("per-class", "Final accuracy by class", by_class, entries, results),
            columns_of("measures", "All measures", measures, entries, results)};
}

/// A row for each experiment, seed, evaluation and class.
StudyTable evaluations_of(const std::vector<Run>& runs, const ResultsByName& results, HeldOut held_out) {
    StudyTable table{"evaluations",
                     "Every evaluation",
                     {"experiment", "seed", "held_out", "cycle", "block", "class", "images", "accuracy"}};
    for (const Run& run : runs) {
        const std::vector<std::string>& classes = run.material.data.classes();
        for (const SeedRun& of_seed : results.at(run.name).runs()) {
            const auto add = [&](HeldOut asked, std::size_t cycle, std::size_t block, const Scores& scores) {
                const std::vector<double> accuracies = scores.by_class();
                for (std::size_t c = 0; c < accuracies.size(); ++c)
                    table.rows.push_back({cell(run.name), cell(std::to_string(of_seed.seed)),
                                          cell(name_of(asked)), cell(cycle), cell(block), cell(classes[c]),
                                          cell(scores.images[c]), cell(accuracies[c], 6)});
            };
            for (const Checkpoint& c : of_seed.checkpoints) add(HeldOut::paper, c.cycle, c.block, c.drawn);
            for (const LargeCheckpoint& c : of_seed.large)
                add(held_out, c.cycle, classes.size() - 1, c.scores);
        }
    }
    return table;
}

/// A row for each experiment, seed and evaluation: the units, and the work of asking them.
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
                const Census& all = c.units.all;
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
                             run.material.data.classes()),
             fmt::format("Accuracy of each class on held-out images after every block, {}.", seeds)});
        charts.push_back({"growth-" + run.name, growth_chart("Units along the stream: " + run.title, own),
                          fmt::format("Units after every block, {}.", seeds)});
    }
    return charts;
}

/// What the first seed's model has learned. Runs are kept without their units: it learns again, which takes
/// little beside the evaluations.
StudyFigure units_of(const Run& run, const SeedRun& first, const StudyContext& context) {
    const std::unique_ptr<Learner> learner = context.make(run.setting, first.seed);
    const Dataset& data = run.material.data;
    const Protocol& protocol = run.protocol;
    const Draw drawn = draw(data, run.material.pool, first.seed, protocol.cycles * protocol.per_block,
                            protocol.held_out_per_class);
    FrontEnd front_end(learner->front_end());
    for (const std::string& label : data.classes()) learner->add_class(label);
    for (std::size_t cycle = 0; cycle < protocol.cycles; ++cycle)
        for (std::size_t c = 0; c < drawn.stream.size(); ++c)
            for (std::size_t i = 0; i < protocol.per_block; ++i)
                (void)learner->learn(front_end(data.image(drawn.stream[c][(cycle * protocol.per_block) + i])),
                                     data.classes()[c]);
    if (learner->digest() != first.digest) throw std::logic_error("a seed gave two different models");
    UnitSheetOptions options;
    options.title = fmt::format("What was learned: {}, seed {}", run.title, first.seed);
    return {fmt::format("units-{}.svg", run.name), draw_units(learner->units(), options),
            "The units that the first seed learned."};
}

std::string in_words(const Run& run, const AskedStream& asked) {
    const std::size_t large = run.material.large_size();
    std::string text =
        fmt::format("The stream: {} cycles of {} classes with {} new images each, drawn by seed from {} "
                    "images of {}{}. Accuracy: on {} images per class drawn with the stream",
                    run.protocol.cycles, run.protocol.classes(run.material), run.protocol.per_block,
                    run.material.pool.size(), run.material.source,
                    asked.material.filtered ? "" : ", unfiltered", run.protocol.held_out_per_class);
    if (large > 0)
        text += fmt::format("; {}: on {} images, mean over classes", name_of(asked.material.held_out), large);
    return text + ".";
}

} // namespace

StudyResult run_asked_stream(const StudyContext& context, const AskedStream& asked) {
    Materials materials(context);
    std::vector<Run> runs;
    std::vector<Experiment> experiments;
    for (const LearnerChoice& setting : asked.learners) {
        runs.push_back(run_of(setting, asked, materials, context));
        const Run& run = runs.back();
        experiments.push_back(experiment(run.name, setting, run.material, run.protocol, context));
    }
    const ResultsByName results = run_experiments(context, experiments);
    const HeldOut held_out = asked.material.held_out;
    StudyResult result;
    record(result, experiments, results);
    result.tables = tables_of(runs, results, held_out);
    result.files.push_back(evaluations_of(runs, results, held_out));
    result.files.push_back(growth_of(runs, results));
    result.charts = charts_of(runs, results);
    result.notes = {in_words(runs.front(), asked), "docs/protocol.md defines all measures."};
    for (const Run& run : runs) {
        const Results& own = results.at(run.name);
        result.figures.push_back(units_of(run, own.runs().front(), context));
        if (asked.audit) check_promise(result, *context.make(run.setting, context.seeds.front()), own);
    }
    return result;
}

} // namespace sprig::lab
