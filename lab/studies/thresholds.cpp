#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

/// One parameter with a lower and a higher value than the usual one, and what the paper prints of them.
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
    const Material material = papers_material(context);
    Protocol protocol;
    protocol.evaluate = EvaluateAt::end;
    const Changed asked = changed(modellers(), changes(), "end", material, protocol, context);
    const ResultsByName results = run_experiments(context, asked.experiments);
    StudyResult result;
    record(result, asked.experiments, results);
    result.tables = {rows_of("thresholds", "One threshold or rate changed at a time",
                             {named("final", "accuracy_final"), named("units", "units", 1)}, asked.entries,
                             results)};
    result.reasons = {{"thresholds", "Modeller, paper: reintegration threshold 0.95", "",
                       "Merging less makes ours better, not worse: what was refined away has reasons to stay "
                       "apart, and merging it back undoes them. The rows with a lower threshold (worse) and "
                       "a lower rate (better) say the same. The paper's figure is of two seeds."}};
    result.notes = {papers_stream_in_words(material, {}), "The paper's figures are means over two seeds."};
    return result;
}

} // namespace

Study study_thresholds() {
    return {.name = "thresholds",
            .question = "Does the Modeller hang on its thresholds and rates?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 1,
            .is_contest = true};
}

} // namespace sprig::lab
