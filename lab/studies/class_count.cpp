#include <array>

#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

/// A row of the paper's table of scaling.
struct PrintedScaling {
    std::size_t classes;
    Printed units, matched;
    double least, most, share;
    Printed accuracy;
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
    return {named("units", "units", 1),
            named("looked for", "units_reached", 1),
            {"at least", 0,
             [](const SeedRun& run) -> std::optional<double> {
                 return static_cast<double>(last_scores(run).least_reached);
             }},
            {"at most", 0,
             [](const SeedRun& run) -> std::optional<double> {
                 return static_cast<double>(last_scores(run).most_reached);
             }},
            {"share", 2,
             [](const SeedRun& run) -> std::optional<double> {
                 const std::size_t units = run.checkpoints.back().units.all.total();
                 if (units == 0) return std::nullopt;
                 return last_scores(run).reached_per_observation() / static_cast<double>(units);
             }},
            named("final", "accuracy_final")};
}

StudyResult run(const StudyContext& context) {
    const Material material = papers_material(context);
    std::vector<Experiment> experiments;
    std::vector<Entry> entries;
    for (const Asked& learner : everybody()) {
        for (const PrintedScaling& row : printed) {
            Protocol protocol;
            protocol.evaluate = EvaluateAt::end;
            protocol.drawn_classes = row.classes;
            const Change counted = {
                "",
                fmt::format("{} classes", row.classes),
                {},
                {row.units, row.matched, {row.least}, {row.most}, {row.share}, row.accuracy}};
            Changed asked = changed({learner}, {counted}, fmt::format("{}-classes", row.classes), material,
                                    protocol, context);
            std::ranges::move(asked.experiments, std::back_inserter(experiments));
            std::ranges::move(asked.entries, std::back_inserter(entries));
        }
    }
    const ResultsByName results = run_experiments(context, experiments);
    StudyResult result;
    record(result, experiments, results);
    result.tables = {rows_of("class-count",
                             "More classes: how many units there are, and how many are looked for",
                             measures(), entries, results)};
    const std::string spread =
        "Which classes are drawn decides more than how many: our ten seeds spread two to sixteen times as "
        "much as the paper's four, and the means lie within our spread.";
    const std::string easier =
        "Fewer classes are easier to tell apart for ours, which is .05 to .12 above the paper's with two, "
        "six and eight of them; the paper's accuracy hardly hangs on their number. With ten the two agree.";
    const std::string fewer =
        "Ours looks for fewer units, as on the paper's stream (study headline): a unit is looked for only if "
        "all that it stands on was found. The share falls and then stays, as the paper's does.";
    result.reasons = {{"class-count", "", "units", spread},
                      {"class-count", "", "final", easier},
                      {"class-count", "", "", fewer}};
    result.notes = {papers_stream_in_words(material, {}),
                    "Which classes, and in what order they come, is drawn by seed. looked for: units that "
                    "are looked for in one image, at the end; at least and at most: in any image of a seed, "
                    "meaned over seeds (the paper prints the extremes over its four seeds)."};
    return result;
}

} // namespace

Study study_class_count() {
    return {.name = "class-count",
            .question = "How do size and work grow with the number of classes?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 0.3,
            .is_contest = true};
}

} // namespace sprig::lab
