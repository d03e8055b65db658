#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab::studies::read_outs {

namespace {

/// Read-outs are compared at the end only: the models are the same.
Protocol at_the_end() {
    Protocol protocol;
    protocol.evaluate = EvaluateAt::end;
    return protocol;
}

Change read(const char* name, const char* title, Settings settings, std::vector<PaperValue> paper = {}) {
    return {name, title, std::move(settings), std::move(paper)};
}

std::vector<Change> maturities() {
    const auto at_least = [](std::size_t observations, PaperValue paper) {
        const std::string text = std::to_string(observations);
        return Change{"maturity-" + text,
                      "M = " + text,
                      {{"maturity", text}, {"first_level_at_once", "false"}},
                      {paper}};
    };
    return {at_least(0, {.8735, .018}), at_least(5, {.8735, .019}), at_least(10, {.8790, .021}),
            at_least(20, {.8770, .023}), at_least(40, {.8735, .021})};
}

/// The number of units with at least `observations` observations at the end, and their share.
void add_mature(std::vector<ComparedMeasure>& rows, std::size_t observations, ModelSize ModelSizes::*which,
                double count, double share) {
    const auto at_the_end = [which](const SeedRun& run) {
        return static_cast<double>((run.checkpoints.back().units.*which).total());
    };
    rows.push_back({{fmt::format("with {} observations or more", observations), 1,
                     [at_the_end](const SeedRun& run) -> std::optional<double> { return at_the_end(run); }},
                    {count}});
    rows.push_back({{"... their share", 2,
                     [at_the_end](const SeedRun& run) -> std::optional<double> {
                         const std::size_t all = run.checkpoints.back().units.all.total();
                         if (all == 0) return std::nullopt;
                         return at_the_end(run) / static_cast<double>(all);
                     }},
                    {share}});
}

std::vector<ComparedMeasure> mature_units() {
    std::vector<ComparedMeasure> rows = {{metric("units", "units", 1), {186.7}}};
    add_mature(rows, 5, &ModelSizes::mature_5, 154.4, .83);
    add_mature(rows, 10, &ModelSizes::mature_10, 143.8, .77);
    add_mature(rows, 20, &ModelSizes::mature_20, 128.8, .69);
    add_mature(rows, 40, &ModelSizes::mature_40, 91.9, .49);
    return rows;
}

std::vector<Change> read_outs() {
    const auto presence = [](const char* name, const char* title, Settings more,
                             std::vector<PaperValue> paper) {
        more.emplace_back("read_out", "presence");
        more.emplace_back("average_trees", "false");
        return read(name, title, std::move(more), std::move(paper));
    };
    return {read("", "", {}, {{.874, .018}}),
            read("unified", "unified chains", {{"chains", "unified"}}),
            presence("presence", "presence only", {{"maturity", "0"}}, {{.697}}),
            presence("presence-positive", "presence only, no suppressors",
                     {{"maturity", "0"}, {"read_suppressors", "false"}}, {{.635}}),
            presence("presence-5", "presence only, M = 5", {{"maturity", "5"}}, {{.700}}),
            presence("presence-10", "presence only, M = 10", {{"maturity", "10"}}, {{.704}}),
            read("graded", "graded coverage", {{"read_out", "graded"}, {"average_trees", "false"}}),
            read("precedence", "precedence", {{"read_out", "precedence"}, {"average_trees", "false"}})};
}

StudyResult run(const StudyContext& context) {
    const ExperimentData data = load_papers_data(context);
    const ExperimentSet by_maturity =
        make_experiments(modellers(), maturities(), "end", data, at_the_end(), context);
    const ExperimentSet by_read_out =
        make_experiments(modellers(), read_outs(), "end", data, at_the_end(), context);
    ExperimentSet all = by_maturity;
    all.add(by_read_out);
    StudyResult result;
    const ResultsByName results = run_and_record(context, all.experiments, result);
    const std::vector<Measure> final = {metric("final", "accuracy_final", 4)};
    std::vector<Entry> whole; // one entry per learner
    for (std::size_t e = 0; e < by_maturity.entries.size(); e += maturities().size())
        whole.push_back({modellers()[whole.size()].title, by_maturity.entries[e].experiment});
    result.tables = {
        experiments_as_rows("maturity", "Read-out of only the units with at least M observations", final,
                            by_maturity.entries, results),
        comparison_table("mature-units", "Number of those units", mature_units(), whole, results),
        experiments_as_rows("read-outs", "The same models with other read-outs", final, by_read_out.entries,
                            results)};
    result.reasons = {{"mature-units", "", "",
                       "Our learner has more units with 40 observations: it creates its units earlier in "
                       "the stream (study growth), so that they have more observations at the end."}};
    result.notes = {describe_papers_stream(data, {}),
                    "A read-out does not change a model: all rows of one learner are about the same models."};
    return result;
}

} // namespace

Study study() {
    return {.name = "read-outs",
            .question = "How accurate are other read-outs of the Modeller, and how many of its units matter?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 1,
            .compares_learners = true};
}

} // namespace sprig::lab::studies::read_outs
