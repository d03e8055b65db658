#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::samples {

namespace {

constexpr std::array<std::size_t, 3> cycles = {5, 10, 15}; ///< the paper's, fixed in advance

/// The accuracies after each single image of a cycle.
std::vector<double> within(const SeedRun& run, std::size_t cycle) {
    std::vector<double> accuracies;
    for (const SampleCheckpoint& sample : run.samples)
        if (sample.cycle == cycle) accuracies.push_back(sample.drawn.balanced());
    return accuracies;
}

/// A function of the accuracies within a cycle.
Measure about(std::string title, std::size_t cycle,
              const std::function<double(const std::vector<double>&)>& what) {
    return {std::move(title), 3, [cycle, what](const SeedRun& run) -> std::optional<double> {
                const std::vector<double> accuracies = within(run, cycle);
                if (accuracies.empty()) return std::nullopt;
                return what(accuracies);
            }};
}

/// The largest drop below the maximum so far in the cycle.
double largest_drop(const std::vector<double>& accuracies) {
    double best = 0;
    double drop = 0;
    for (const double accuracy : accuracies) {
        best = std::max(best, accuracy);
        drop = std::max(drop, best - accuracy);
    }
    return drop;
}

/// The same at the ends of blocks only.
double largest_drop_of_blocks(const std::vector<double>& accuracies, std::size_t per_block) {
    std::vector<double> ends;
    for (std::size_t i = per_block; i <= accuracies.size(); i += per_block) ends.push_back(accuracies[i - 1]);
    return largest_drop(ends);
}

std::vector<Measure> measures(std::size_t per_block) {
    std::vector<Measure> result;
    for (const std::size_t cycle : cycles) {
        const auto add = [&](const char* what, const std::function<double(const std::vector<double>&)>& get) {
            result.push_back(about(fmt::format("cycle {}, {}", cycle, what), cycle, get));
        };
        add("after its first image", [](const std::vector<double>& a) { return a.front(); });
        add("after its last image", [](const std::vector<double>& a) { return a.back(); });
        add("largest drop between images", largest_drop);
        add("largest drop between blocks",
            [per_block](const std::vector<double>& a) { return largest_drop_of_blocks(a, per_block); });
    }
    return result;
}

/// The mean over seeds after each image of a cycle.
Line line_of(const Results& results, std::size_t cycle, std::string name) {
    Line line{std::move(name), {}, {}};
    const std::size_t count = within(results.runs().front(), cycle).size();
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<double> values;
        for (const SeedRun& run : results.runs()) values.push_back(within(run, cycle)[i]);
        line.x.push_back(static_cast<double>(i + 1));
        line.y.push_back(*mean(values));
    }
    return line;
}

StudyChart chart_of(const std::vector<Entry>& entries, const ResultsByName& results, std::size_t per_block) {
    Chart chart{"Accuracy after every single image of a cycle",
                "images of the cycle",
                "accuracy on held-out images",
                {}};
    for (const Entry& entry : entries)
        for (const std::size_t cycle : cycles)
            chart.lines.push_back(line_of(results.at(entry.experiment), cycle,
                                          fmt::format("{}, cycle {}", entry.title, cycle)));
    std::erase_if(chart.lines, [](const Line& line) { return line.x.empty(); });
    chart.band = static_cast<double>(per_block);
    return {"samples", std::move(chart),
            "Accuracy on the held-out images of all ten classes after every single image of three cycles; "
            "means over seeds. Every other block of five images of one class is grey."};
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    Protocol protocol;
    protocol.evaluate = EvaluateAt::end;
    protocol.sampled_cycles.assign(cycles.begin(), cycles.end());
    const ExperimentSet set =
        make_experiments(all_learners(), {Change{}}, "samples", data, protocol, context);
    StudyResult result;
    const ResultsByName results = run_and_record(context, set.experiments, result);
    result.tables = {measures_as_rows("samples", "Within a cycle, image by image",
                                      measures(protocol.per_block), set.entries, results)};
    StudyChart chart = chart_of(set.entries, results, protocol.per_block);
    if (!chart.chart.lines.empty())
        result.charts.push_back(std::move(chart)); // a short stream has no such cycles
    result.notes = {describe_papers_stream(data, {}),
                    "The held-out images are tested after every single image of three cycles: otherwise a "
                    "drop and recovery within a block would not be seen."};
    return result;
}

} // namespace

Study study() {
    return {.name = "samples",
            .question = "Does accuracy drop within a block in a way that the ends of blocks do not show?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.5,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::samples
