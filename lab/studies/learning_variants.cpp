#include "lab/measures/metrics.h"
#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::learning_variants {

namespace {

std::vector<Change> changes() {
    return {{"", "", {}, {{.8735, .018}, {187}, {.097}}},
            {"no-suppressors", "no suppressors", {{"suppressors", "false"}}, {{.8805}, {58}, {.095}}},
            {"pos-gate", "pos-gate", {{"position_gate", "match"}}, {{.8645}, {186}, {.108}}},
            {"pos-skip", "pos-skip", {{"position_gate", "suppressors"}}, {{.8650}, {178}, {.107}}},
            {"per-node", "gate by node", {{"position_gate", "nodes"}}}};
}

/// Compares every change with the unchanged learner, seed by seed.
StudyTable tests_of(const ExperimentSet& set, std::size_t changes, const ResultsByName& results) {
    StudyTable table{"tests",
                     "Final accuracies seed by seed, against the same learner unchanged: Wilcoxon's "
                     "signed-rank test, two-sided and exact",
                     {"experiment", "difference", "W", "p", "ahead", "behind"}};
    const Measure final = metric("final", "accuracy_final");
    for (std::size_t e = 0; e < set.entries.size(); ++e) {
        if (e % changes == 0) continue;
        const std::vector<double> base =
            values_of(results.at(set.entries[e - (e % changes)].experiment), final);
        const std::vector<double> own = values_of(results.at(set.entries[e].experiment), final);
        const SignedRank test = signed_rank_test(own, base);
        table.rows.push_back({cell(set.entries[e].title), cell(*mean(own) - *mean(base), 4),
                              cell(test.statistic, 1), cell(test.p, 4), cell(test.first_ahead),
                              cell(test.pairs - test.first_ahead)});
    }
    return table;
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    const std::vector<Change> list = changes();
    const ExperimentSet set = make_experiments(modellers(), list, "", data, {}, context);
    StudyResult result;
    const ResultsByName results = run_and_record(context, set.experiments, result);
    const std::vector<Measure> measures = {metric("final", "accuracy_final", 4), metric("units", "units", 1),
                                           metric("retention loss", "retention_loss")};
    result.tables = {experiments_as_rows("variants", "The Modeller with one change in learning", measures,
                                         set.entries, results),
                     tests_of(set, list.size(), results)};
    result.notes = {describe_papers_stream(data, {}),
                    "The paper also tests its changes: p = .64 without suppressors, .39 with pos-gate, .34 "
                    "with pos-skip."};
    return result;
}

} // namespace

Study study() {
    return {.name = "learning-variants",
            .question = "What do suppressors and position gates contribute to the Modeller?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 1,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::learning_variants
