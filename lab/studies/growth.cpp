#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "lab/report/chart.h"
#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::growth {

namespace {

/// A row of the paper's size table.
struct PrintedSizes {
    std::size_t cycle;
    double total, positive, negative, mature_5, mature_10;
};
constexpr std::array<PrintedSizes, 5> printed = {{{0, 21.2, 16.0, 5.2, 8.5, 3.0},
                                                  {5, 134.3, 62.8, 71.5, 95.8, 71.5},
                                                  {10, 168.1, 72.1, 96.0, 130.1, 113.4},
                                                  {15, 177.1, 78.7, 98.4, 149.8, 138.5},
                                                  {19, 186.7, 81.7, 105.0, 154.4, 143.8}}};

std::vector<ComparedMeasure> sizes() {
    std::vector<ComparedMeasure> rows;
    for (const PrintedSizes& p : printed) {
        const auto add = [&](const char* what, double value, std::size_t (*count)(const ModelSizes&)) {
            rows.push_back(
                {units_after(fmt::format("cycle {}, {}", p.cycle, what), p.cycle, count), {value}});
        };
        add("units", p.total, [](const ModelSizes& units) { return units.all.total(); });
        add("positive", p.positive, [](const ModelSizes& units) { return units.all.positive; });
        add("negative", p.negative, [](const ModelSizes& units) { return units.all.negative; });
        add("5 observations or more", p.mature_5,
            [](const ModelSizes& units) { return units.mature_5.total(); });
        add("10 observations or more", p.mature_10,
            [](const ModelSizes& units) { return units.mature_10.total(); });
    }
    return rows;
}

/// The cycle from which on the number of units in the paper no longer grows.
constexpr std::size_t plateau = 11;

std::vector<const Checkpoint*> on_the_plateau(const SeedRun& run) {
    std::vector<const Checkpoint*> checkpoints;
    for (const Checkpoint& checkpoint : run.checkpoints)
        if (checkpoint.cycle >= plateau) checkpoints.push_back(&checkpoint);
    return checkpoints;
}

/// The mean change per block on the plateau.
Measure per_block(const char* title, int digits,
                  const std::function<double(const Checkpoint& before, const Checkpoint& after)>& change) {
    return {title, digits, [change](const SeedRun& run) -> std::optional<double> {
                const std::vector<const Checkpoint*> all = on_the_plateau(run);
                std::vector<double> changes;
                for (std::size_t i = 1; i < all.size(); ++i) changes.push_back(change(*all[i - 1], *all[i]));
                return mean(changes);
            }};
}

double net_change(const Checkpoint& before, const Checkpoint& after) {
    return std::abs(static_cast<double>(after.units.all.total()) -
                    static_cast<double>(before.units.all.total()));
}

std::vector<ComparedMeasure> turnover() {
    const Measure level = {"units", 1, [](const SeedRun& run) -> std::optional<double> {
                               std::vector<double> levels;
                               for (const Checkpoint* checkpoint : on_the_plateau(run))
                                   levels.push_back(static_cast<double>(checkpoint->units.all.total()));
                               return mean(levels);
                           }};
    const Measure greatest = {"largest change per block", 1, [](const SeedRun& run) -> std::optional<double> {
                                  const std::vector<const Checkpoint*> all = on_the_plateau(run);
                                  if (all.size() < 2) return std::nullopt;
                                  double most = 0;
                                  for (std::size_t i = 1; i < all.size(); ++i)
                                      most = std::max(most, net_change(*all[i - 1], *all[i]));
                                  return most;
                              }};
    const auto created = [](const Checkpoint& c) { return c.learned.created + c.learned.spawned; };
    const auto removed = [](const Checkpoint& c) { return c.learned.removed + c.learned.reintegrated; };
    return {{level, {174}},
            {per_block("mean change per block", 1, net_change), {7.7}},
            {greatest, {29}},
            {per_block("units created per block", 1,
                       [created](const Checkpoint& before, const Checkpoint& after) {
                           return static_cast<double>(created(after) - created(before));
                       })},
            {per_block("units removed or merged per block", 1,
                       [removed](const Checkpoint& before, const Checkpoint& after) {
                           return static_cast<double>(removed(after) - removed(before));
                       })}};
}

StudyChart by_kind(const Entry& entry, const Results& results) {
    return {"units-" + entry.experiment, growth_chart("Units along the stream: " + entry.title, results),
            fmt::format("The number of units of {} after every block, by kind: means over {} seeds, bands "
                        "one standard deviation.",
                        entry.title, results.runs().size())};
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    const ExperimentSet set = make_experiments(all_learners(), {Change{}}, "", data, {}, context);
    const ExperimentSet positive =
        make_experiments(modellers(), {{"no-suppressors", "no suppressors", {{"suppressors", "false"}}}}, "",
                         data, {}, context);
    ExperimentSet all = set;
    all.add(positive);
    StudyResult result;
    const ResultsByName results = run_and_record(context, all.experiments, result);
    result.tables = {
        comparison_table("sizes", "Units at the ends of some cycles", sizes(), all.entries, results),
        comparison_table("turnover", fmt::format("From cycle {} on: units created and removed", plateau),
                         turnover(), all.entries, results)};
    std::vector<Line> lines;
    lines.reserve(all.entries.size());
    for (const Entry& entry : all.entries)
        lines.push_back(units_by_block(entry.title, results.at(entry.experiment),
                                       [](const ModelSize& units) { return units.total(); }));
    Chart chart = stream_chart("Units along the stream", "units", std::move(lines), Protocol{}.cycles);
    chart.band = 1;
    chart.y_range = {0, std::numeric_limits<double>::infinity()};
    result.charts = {
        {"units", std::move(chart),
         fmt::format(
             "The number of units of each learner after every block: lines are means over {} seeds, bands "
             "one standard deviation. Without suppressors the Modeller has positive units only.",
             context.seeds.size())}};
    for (const Entry& entry : set.entries)
        result.charts.push_back(by_kind(entry, results.at(entry.experiment)));
    result.reasons = {{"sizes", "cycle", "",
                       "Our learner grows sooner: it creates more suppressors in the first cycle, and its "
                       "units get their observations earlier. From cycle 10 on the two agree."}};
    result.notes = {describe_papers_stream(data, {})};
    return result;
}

} // namespace

Study study() {
    return {.name = "growth",
            .question = "How many units are there along the stream, and how many are created and removed?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.3,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::growth
