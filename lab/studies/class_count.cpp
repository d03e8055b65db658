#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::class_count {

namespace {

/// A row of the paper's scaling table.
struct PrintedScaling {
    std::size_t classes;
    PaperValue units, matched;
    double least, most, share;
    PaperValue accuracy;
};
constexpr std::array<PrintedScaling, 5> printed = {{{2, {27, 23}, {23, 18}, 3, 57, .88, {.869, .072}},
                                                    {4, {68, 15}, {40, 7}, 10, 74, .59, {.878, .057}},
                                                    {6, {124, 2}, {58, 1}, 16, 123, .47, {.833, .065}},
                                                    {8, {145, 12}, {68, 10}, 20, 150, .47, {.842, .025}},
                                                    {10, {191, 18}, {83, 5}, 24, 199, .43, {.874, .014}}}};

const Scores& last_scores(const SeedRun& run) {
    return run.checkpoints.back().drawn;
}

std::vector<Measure> measures() {
    return {metric("units", "units", 1),
            metric("searched", "units_reached", 1),
            {"minimum", 0,
             [](const SeedRun& run) -> std::optional<double> {
                 return static_cast<double>(last_scores(run).least_reached);
             }},
            {"maximum", 0,
             [](const SeedRun& run) -> std::optional<double> {
                 return static_cast<double>(last_scores(run).most_reached);
             }},
            {"share", 2,
             [](const SeedRun& run) -> std::optional<double> {
                 const std::size_t units = run.checkpoints.back().units.all.total();
                 if (units == 0) return std::nullopt;
                 return last_scores(run).reached_per_observation() / static_cast<double>(units);
             }},
            metric("final", "accuracy_final")};
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    ExperimentSet set;
    for (const NamedLearner& learner : all_learners()) {
        for (const PrintedScaling& row : printed) {
            Protocol protocol;
            protocol.evaluate = EvaluateAt::end;
            protocol.drawn_classes = row.classes;
            const Change counted = {
                "",
                fmt::format("{} classes", row.classes),
                {},
                {row.units, row.matched, {row.least}, {row.most}, {row.share}, row.accuracy}};
            set.add(make_experiments({learner}, {counted}, fmt::format("{}-classes", row.classes), data,
                                     protocol, context));
        }
    }
    StudyResult result;
    const ResultsByName results = run_and_record(context, set.experiments, result);
    result.tables = {experiments_as_rows("class-count", "Units, and units searched for, by number of classes",
                                         measures(), set.entries, results)};
    const std::string spread =
        "The choice of classes matters more than their number: our ten seeds vary two to sixteen times as "
        "much as the paper's four, and the means lie within our spread.";
    const std::string easier =
        "Our learner finds fewer classes easier: it is .05 to .12 above the paper's with two, six and "
        "eight classes, while the paper's accuracy hardly depends on their number. With ten classes the "
        "two agree.";
    const std::string fewer =
        "Our learner searches for fewer units, as on the paper's stream (study headline): a unit is "
        "searched for only if all units below it were found. The share falls and then levels off, as in "
        "the paper.";
    result.reasons = {{"class-count", "", "units", spread},
                      {"class-count", "", "final", easier},
                      {"class-count", "", "", fewer}};
    result.notes = {describe_papers_stream(data, {}),
                    "The classes and their order are drawn by seed. searched: units searched for in one "
                    "image, at the end; minimum and maximum: over the images of a seed, mean over seeds "
                    "(the paper gives the extremes over its four seeds)."};
    return result;
}

} // namespace

Study study() {
    return {.name = "class-count",
            .question = "How do size and work grow with the number of classes?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 0.3,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::class_count
