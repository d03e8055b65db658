#include "lab/figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/data.h"
#include "sprig/draw_model.h"

namespace sprig::lab {

namespace {

std::string learner_in_words(const Description& what, const Results& results) {
    const std::size_t seeds = results.runs().size();
    return fmt::format("{}, preset {}, {} seed{}", what.learner, what.preset, seeds, seeds == 1 ? "" : "s");
}

bool is_whole(const Description& what) {
    return what.protocol.evaluate == EvaluateAt::blocks;
}

std::size_t evaluations(const Results& results) {
    return results.runs().front().checkpoints.size();
}

/// The mean over seeds of something at each checkpoint.
template <class Measure>
std::vector<double> mean_along(const Results& results, Measure measure) {
    std::vector<double> means(evaluations(results), 0);
    for (const SeedRun& run : results.runs()) {
        for (std::size_t i = 0; i < means.size(); ++i) means[i] += measure(run.checkpoints[i]);
    }
    for (double& mean : means) mean /= static_cast<double>(results.runs().size());
    return means;
}

template <class Count>
Curve units_along(const char* name, const Results& results, Count count) {
    return {name, mean_along(results,
                             [&](const Checkpoint& at) { return static_cast<double>(count(at.units.all)); })};
}

bool has_negative_units(const Results& results) {
    return std::ranges::any_of(results.runs(), [](const SeedRun& run) {
        return std::ranges::any_of(run.checkpoints,
                                   [](const Checkpoint& at) { return at.units.all.negative > 0; });
    });
}

} // namespace

std::string retention_figure(const Description& what, const Results& results) {
    if (!is_whole(what)) return {};
    CurvePlot plot;
    plot.title = "Each class's accuracy along the stream: " + learner_in_words(what, results);
    plot.notes = {
        fmt::format("{} images of each class held out, asked after every block of {} images of one class",
                    what.protocol.held_out_per_class, what.protocol.per_block)};
    plot.per_cycle = what.classes.size();
    RetentionOptions options;
    for (std::size_t i = 0; i < evaluations(results); ++i) options.learned.push_back(i % what.classes.size());
    for (std::size_t label = 0; label < what.classes.size(); ++label) {
        plot.curves.push_back({what.classes[label], mean_along(results, [&](const Checkpoint& at) {
                                   return at.drawn.by_class()[label];
                               })});
    }
    return draw_retention(plot, options);
}

std::string growth_figure(const Description& what, const Results& results) {
    if (!is_whole(what)) return {};
    CurvePlot plot;
    plot.title = "Units along the stream: " + learner_in_words(what, results);
    plot.per_cycle = what.classes.size();
    plot.curves = {units_along("units", results, [](const Census& units) { return units.total(); })};
    const auto add = [&](const char* name, auto count) {
        plot.curves.push_back(units_along(name, results, count));
    };
    if (has_negative_units(results)) {
        add("positive", [](const Census& units) { return units.positive; });
        add("negative", [](const Census& units) { return units.negative; });
    } else {
        // All units are positive: that would be the same line twice, and one at 0.
        add("singletons", [](const Census& units) { return units.singletons; });
        plot.notes = {"singletons: units that have seen one sample only"};
    }
    return draw_growth(plot);
}

std::string units_figure(const Description& what, const Results& results) {
    const SeedRun& first = results.runs().front();
    if (first.units.empty()) return {};
    UnitSheetOptions options;
    options.title =
        fmt::format("What was learned: {}, preset {}, seed {}", what.learner, what.preset, first.seed);
    return draw_units(first.units, options);
}

void write_figures(const std::filesystem::path& folder, const Description& what, const Results& results) {
    const auto write = [&](const char* name, const std::string& svg) {
        if (!svg.empty()) write_file_atomically(folder / name, svg);
    };
    write("retention.svg", retention_figure(what, results));
    write("growth.svg", growth_figure(what, results));
    write("units.svg", units_figure(what, results));
}

} // namespace sprig::lab
