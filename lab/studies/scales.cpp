#include <fmt/format.h>

#include "lab/report/chart.h"
#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::scales {

namespace {

std::vector<Change> changes() {
    const Settings presence = {{"read_out", "presence"}, {"maturity", "0"}, {"average_trees", "false"}};
    Settings both = presence;
    both.emplace_back("single_scale", "true");
    return {{"", "all scales", {}, {{.874}, {191}}},
            {"finest", "finest scale only", {{"single_scale", "true"}}, {{.730}, {172}}},
            {"presence", "all scales, presence only", presence, {{.716}}},
            {"finest-presence", "finest scale only, presence only", both, {{.439}}}};
}

StudyChart chart_of(const std::vector<Entry>& entries, const ResultsByName& results) {
    std::vector<Line> lines;
    for (const Entry& entry : entries) {
        Line& line = lines.emplace_back(accuracy_by_cycle(entry.title, results.at(entry.experiment)));
        line.spread.clear();
        line.dashed = entry.title.find("finest") != std::string::npos;
    }
    Chart chart =
        stream_chart("Relations of all scales, or of the finest one only", "accuracy on held-out images",
                     std::move(lines), results.begin()->second.runs().front().accuracy.cycles());
    chart.y_range = {0, 1};
    return {"scales", std::move(chart),
            "Accuracy at the end of each cycle, means over seeds, of models that were trained and tested "
            "with relations of all scales, or (dashed) of the finest scale only; each with the usual "
            "read-out and with a read-out by presence only."};
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    Protocol protocol;
    protocol.evaluate = EvaluateAt::cycles;
    const ExperimentSet set = make_experiments(modellers(), changes(), "cycles", data, protocol, context);
    StudyResult result;
    const ResultsByName results = run_and_record(context, set.experiments, result);
    result.tables = {experiments_as_rows("scales", "Relations of all scales, or of the finest one only",
                                         {metric("final", "accuracy_final"), metric("units", "units", 1)},
                                         set.entries, results)};
    result.charts = {chart_of(set.entries, results)};
    result.reasons = {
        {"scales", "Modeller, paper: finest", "",
         "Here relations of the finest scale nearly suffice, with both presets and both read-outs: the "
         "difference is at most .02, in the paper .14 and .28. None of our readings of the paper makes it "
         "that large; we do not know why the paper's learner needs the other scales so much more."}};
    result.notes = {
        describe_papers_stream(data, {}),
        "The paper's figures are means over five seeds. Constellation uses nodes and their neighbours on "
        "the contour, not relations of other scales: the study ablation measures what those would add."};
    return result;
}

} // namespace

Study study() {
    return {.name = "scales",
            .question = "What do relations of several scales contribute?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.3,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::scales
