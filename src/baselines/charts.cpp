#include "baselines/charts.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "lab/stream_charts.h"

namespace sprig::baselines {

namespace {

using lab::Chart;
using lab::Line;
using lab::ResultsByName;
using lab::StudyChart;

constexpr const char* in_words =
    "Accuracy on held-out images at the end of each cycle of the paper's stream, means over seeds; black: "
    "ours.";

/// Lines of the chosen ones; ours are black, dashed but for the first of them.
Chart accuracy_chart(const char* title, const std::vector<Shown>& own, const std::vector<Shown>& others,
                     const ResultsByName& results) {
    std::vector<Line> lines;
    for (const Shown& shown : own) {
        Line& line = lines.emplace_back(lab::accuracy_by_cycle(shown.title, results.at(shown.experiment)));
        line.strong = true;
        line.dashed = &shown != &own.front();
    }
    for (const Shown& shown : others)
        lines.push_back(lab::accuracy_by_cycle(shown.title, results.at(shown.experiment)));
    for (Line& line : lines) line.spread.clear(); // too many bands for one picture
    Chart chart = lab::along_the_stream(title, "accuracy on held-out images", std::move(lines), 20);
    chart.y_range = {0, 1};
    chart.height = 520;
    return chart;
}

std::vector<Shown> those(const std::vector<Shown>& all, const std::function<bool(const Shown&)>& wanted) {
    std::vector<Shown> result;
    std::ranges::copy_if(all, std::back_inserter(result), wanted);
    return result;
}

bool is_one_of(const Shown& shown, std::initializer_list<const char*> titles) {
    return std::ranges::count(titles, shown.title) > 0;
}

bool has_large_buffer(const Shown& shown) {
    return is_one_of(shown, {"DER++, 80 img", "ER-ACE, 80 img", "Naive replay, 80 img",
                             "Naive replay, 50 img", "Naive replay, 20 img"});
}

bool is_expert(const Shown& shown) {
    return shown.title.starts_with("Expert-AEC");
}

StudyChart retention_of(const Shown& shown, const std::vector<std::string>& classes,
                        const ResultsByName& results) {
    return {"retention-" + shown.experiment,
            lab::retention_chart(shown.title + ": accuracy by class along the stream",
                                 results.at(shown.experiment), classes),
            fmt::format("{}: each line follows one class, its accuracy on held-out images after every block, "
                        "mean over seeds; black: the mean over classes. Every other cycle is grey. What is "
                        "forgotten falls while others are taught.",
                        shown.title)};
}

} // namespace

std::vector<StudyChart> charts_of(const std::vector<Shown>& own, const std::vector<Shown>& others,
                                  const std::vector<std::string>& classes, const ResultsByName& results) {
    std::vector<StudyChart> charts;
    const auto add = [&](const char* file, const char* title, const std::vector<Shown>& chosen) {
        if (!chosen.empty() || (!own.empty() && std::string_view(file) == "accuracy"))
            charts.push_back({file, accuracy_chart(title, own, chosen, results), in_words});
    };
    add("accuracy", "Accuracy at the end of each cycle", those(others, [](const Shown& shown) {
            return !has_large_buffer(shown) && (!is_expert(shown) || shown.title == "Expert-AEC k=2") &&
                   !is_one_of(shown, {"Naive replay, 5 img", "Naive replay, 2 img"});
        }));
    add("buffers", "More stored images", those(others, [](const Shown& shown) {
            return has_large_buffer(shown) || is_one_of(shown, {"Naive replay, 8 img", "Plain NN"});
        }));
    add("experts", "Experts, by how readily a new one is made", those(others, is_expert));
    for (const Shown& shown : others) charts.push_back(retention_of(shown, classes, results));
    return charts;
}

} // namespace sprig::baselines
