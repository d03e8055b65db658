#include "lab/figures.h"

#include <fmt/format.h>

#include "lab/stream_charts.h"
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

} // namespace

std::optional<Chart> retention_figure(const Description& what, const Results& results) {
    if (!is_whole(what)) return {};
    return retention_chart("Each class's accuracy along the stream: " + learner_in_words(what, results),
                           results, what.classes);
}

std::optional<Chart> growth_figure(const Description& what, const Results& results) {
    if (!is_whole(what)) return {};
    return growth_chart("Units along the stream: " + learner_in_words(what, results), results);
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
    const auto write = [&](const char* name, const std::optional<Chart>& chart) {
        if (chart) write_chart(folder, name, *chart);
    };
    write("retention", retention_figure(what, results));
    write("growth", growth_figure(what, results));
    const std::string units = units_figure(what, results);
    if (!units.empty()) write_file_atomically(folder / "units.svg", units);
}

} // namespace sprig::lab
