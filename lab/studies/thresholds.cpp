#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::thresholds {

namespace {

/// A parameter with a lower and a higher value than the default, and the paper's accuracies.
struct Axis {
    const char* parameter;
    const char* title;
    std::array<double, 2> values;
    std::array<double, 2> printed;
};
constexpr std::array<Axis, 4> axes = {
    {{"reintegration_threshold", "reintegration threshold", {.80, .95}, {.843, .815}},
     {"removal_rate", "removal rate", {.3, .7}, {.873, .848}},
     {"reintegration_rate", "reintegration rate", {.3, .7}, {.863, .855}},
     {"significance", "significance", {.05, .2}, {.795, .878}}}};

std::vector<Change> changes() {
    std::vector<Change> result = {{"", "", {}, {{.8735}}}};
    for (const Axis& axis : axes) {
        for (std::size_t i = 0; i < axis.values.size(); ++i) {
            const std::string value = fmt::format("{}", axis.values[i]);
            result.push_back({fmt::format("{}-{}", axis.parameter, value),
                              fmt::format("{} {}", axis.title, value),
                              {{axis.parameter, value}},
                              {{axis.printed[i]}}});
        }
    }
    return result;
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    Protocol protocol;
    protocol.evaluate = EvaluateAt::end;
    const ExperimentSet set = make_experiments(modellers(), changes(), "end", data, protocol, context);
    StudyResult result;
    const ResultsByName results = run_and_record(context, set.experiments, result);
    result.tables = {experiments_as_rows("thresholds", "One threshold or rate changed at a time",
                                         {metric("final", "accuracy_final"), metric("units", "units", 1)},
                                         set.entries, results)};
    result.reasons = {{"thresholds", "Modeller, paper: reintegration threshold 0.95", "",
                       "Our learner gets better, not worse, if it merges less: merging undoes refinements "
                       "that were made for a reason. The rows with a lower threshold (worse) and a lower "
                       "rate (better) agree with this. The paper's figure is a mean over two seeds."}};
    result.notes = {describe_papers_stream(data, {}), "The paper's figures are means over two seeds."};
    return result;
}

} // namespace

Study study() {
    return {.name = "thresholds",
            .question = "How sensitive is the Modeller to its thresholds and rates?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 1,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::thresholds
