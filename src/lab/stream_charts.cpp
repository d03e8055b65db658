#include "lab/stream_charts.h"

#include <algorithm>
#include <limits>

namespace sprig::lab {

namespace {

/// The mean over seeds at one place, with its spread; a gap where no seed has a value.
void add_point(Line& line, double x, const std::vector<double>& values) {
    line.x.push_back(x);
    line.y.push_back(mean(values).value_or(std::numeric_limits<double>::quiet_NaN()));
    line.spread.push_back(deviation(values).value_or(0));
}

/// Something that every checkpoint has, in the order of the stream.
template <class Get>
Line by_block(std::string name, const Results& results, Get get) {
    Line line{std::move(name), {}, {}};
    const SeedRun& first = results.runs().front();
    const auto classes = static_cast<double>(first.accuracy.classes());
    for (std::size_t i = 0; i < first.checkpoints.size(); ++i) {
        std::vector<double> values;
        for (const SeedRun& run : results.runs()) values.push_back(get(run.checkpoints[i]));
        const Checkpoint& at = first.checkpoints[i];
        add_point(line, static_cast<double>(at.cycle) + (static_cast<double>(at.block + 1) / classes),
                  values);
    }
    return line;
}

/// The mean over classes after each block.
Line mean_by_block(const Results& results) {
    Line line = by_block("mean", results, [](const Checkpoint& at) { return at.drawn.balanced(); });
    line.spread.clear();
    line.strong = true;
    return line;
}

bool has_negative_units(const Results& results) {
    return std::ranges::any_of(results.runs(), [](const SeedRun& run) {
        return std::ranges::any_of(run.checkpoints,
                                   [](const Checkpoint& at) { return at.units.all.negative > 0; });
    });
}

} // namespace

Line accuracy_by_cycle(std::string name, const Results& results) {
    Line line{std::move(name), {}, {}};
    for (std::size_t cycle = 0; cycle < results.runs().front().accuracy.cycles(); ++cycle) {
        std::vector<double> values;
        for (const SeedRun& run : results.runs()) {
            const std::optional<double> accuracy = accuracy_at_end_of(run.accuracy, cycle);
            if (accuracy) values.push_back(*accuracy);
        }
        add_point(line, static_cast<double>(cycle), values);
    }
    return line;
}

Line units_by_block(std::string name, const Results& results,
                    const std::function<std::size_t(const Census& units)>& count) {
    return by_block(std::move(name), results,
                    [&](const Checkpoint& at) { return static_cast<double>(count(at.units.all)); });
}

Line class_by_block(std::string name, const Results& results, std::size_t label) {
    Line line = by_block(std::move(name), results,
                         [label](const Checkpoint& at) { return at.drawn.by_class()[label]; });
    line.spread.clear();
    return line;
}

Chart along_the_stream(std::string title, std::string y_title, std::vector<Line> lines, std::size_t cycles) {
    Chart chart{std::move(title), "cycle", std::move(y_title), std::move(lines)};
    chart.x_range = {0, static_cast<double>(cycles)};
    return chart;
}

Chart retention_chart(std::string title, const Results& results, const std::vector<std::string>& classes) {
    std::vector<Line> lines;
    for (std::size_t c = 0; c < classes.size(); ++c) lines.push_back(class_by_block(classes[c], results, c));
    lines.push_back(mean_by_block(results));
    Chart chart = along_the_stream(std::move(title), "accuracy on held-out images", std::move(lines),
                                   results.runs().front().accuracy.cycles());
    chart.y_range = {0, 1};
    chart.band = 1;
    return chart;
}

Chart growth_chart(std::string title, const Results& results) {
    std::vector<Line> lines = {
        units_by_block("units", results, [](const Census& units) { return units.total(); })};
    lines.front().strong = true;
    if (has_negative_units(results)) {
        lines.push_back(
            units_by_block("positive", results, [](const Census& units) { return units.positive; }));
        lines.push_back(
            units_by_block("negative", results, [](const Census& units) { return units.negative; }));
    } else {
        // All units are positive: that would be the same line twice, and one at 0.
        lines.push_back(units_by_block("singletons (units that saw one sample only)", results,
                                       [](const Census& units) { return units.singletons; }));
    }
    Chart chart = along_the_stream(std::move(title), "units", std::move(lines),
                                   results.runs().front().accuracy.cycles());
    chart.band = 1;
    chart.y_range = {0, std::numeric_limits<double>::infinity()};
    return chart;
}

} // namespace sprig::lab
