#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

std::vector<Change> changes() {
    return {{"", "", {}, {{.8735, .018}, {187}, {.097}}},
            {"no-suppressors", "no suppressors", {{"suppressors", "false"}}, {{.8805}, {58}, {.095}}},
            {"pos-gate", "pos-gate", {{"position_gate", "match"}}, {{.8645}, {186}, {.108}}},
            {"pos-skip", "pos-skip", {{"position_gate", "suppressors"}}, {{.8650}, {178}, {.107}}},
            {"per-node", "gate by node", {{"position_gate", "nodes"}}}};
}

/// Every change against the same learner without it, seed by seed.
StudyTable tests_of(const Changed& asked, std::size_t changes, const ResultsByName& results) {
    StudyTable table{"tests",
                     "Final accuracies seed by seed, against the same learner unchanged: Wilcoxon's "
                     "signed-rank test, two-sided and exact",
                     {"experiment", "difference", "W", "p", "ahead", "behind"}};
    const Measure final = named("final", "accuracy_final");
    for (std::size_t e = 0; e < asked.entries.size(); ++e) {
        if (e % changes == 0) continue;
        const std::vector<double> base =
            values_of(results.at(asked.entries[e - (e % changes)].experiment), final);
        const std::vector<double> own = values_of(results.at(asked.entries[e].experiment), final);
        const SignedRank test = signed_rank_test(own, base);
        table.rows.push_back({cell(asked.entries[e].title), cell(*mean(own) - *mean(base), 4),
                              cell(test.statistic, 1), cell(test.p, 4), cell(test.first_ahead),
                              cell(test.pairs - test.first_ahead)});
    }
    return table;
}

StudyResult run(const StudyContext& context) {
    const Material material = papers_material(context);
    const std::vector<Change> list = changes();
    const Changed asked = changed(modellers(), list, "", material, {}, context);
    const ResultsByName results = run_experiments(context, asked.experiments);
    const std::vector<Measure> measures = {named("final", "accuracy_final", 4), named("units", "units", 1),
                                           named("retention loss", "retention_loss")};
    StudyResult result;
    record(result, asked.experiments, results);
    result.tables = {rows_of("variants", "The Modeller with one thing changed in learning", measures,
                             asked.entries, results),
                     tests_of(asked, list.size(), results)};
    result.notes = {papers_stream_in_words(material, {}),
                    "The paper tests its changes, too: p = .64 without suppressors, .39 with pos-gate, .34 "
                    "with pos-skip."};
    return result;
}

} // namespace

Study study_learning_variants() {
    return {.name = "learning-variants",
            .question = "What do the Modeller's suppressors do for it, and what would gates by position?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 1,
            .is_contest = true};
}

} // namespace sprig::lab
