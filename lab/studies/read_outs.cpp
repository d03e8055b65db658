#include <fmt/format.h>

#include "lab/report/study.h"
#include "lab/studies/paper_stream.h"

namespace sprig::lab {

namespace {

/// Only the end is asked: the same models, read in another way.
Protocol at_the_end() {
    Protocol protocol;
    protocol.evaluate = EvaluateAt::end;
    return protocol;
}

Change read(const char* name, const char* title, Settings settings, std::vector<Printed> paper = {}) {
    return {name, title, std::move(settings), std::move(paper)};
}

std::vector<Change> maturities() {
    const auto at_least = [](std::size_t observations, Printed paper) {
        const std::string text = std::to_string(observations);
        return Change{"maturity-" + text,
                      "M = " + text,
                      {{"maturity", text}, {"first_level_at_once", "false"}},
                      {paper}};
    };
    return {at_least(0, {.8735, .018}), at_least(5, {.8735, .019}), at_least(10, {.8790, .021}),
            at_least(20, {.8770, .023}), at_least(40, {.8735, .021})};
}

/// How many units have so many observations, at the end; and their share of all.
void add_mature(std::vector<Compared>& rows, std::size_t observations, Census Growth::*which, double count,
                double share) {
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

std::vector<Compared> mature_units() {
    std::vector<Compared> rows = {{named("units", "units", 1), {186.7}}};
    add_mature(rows, 5, &Growth::mature_5, 154.4, .83);
    add_mature(rows, 10, &Growth::mature_10, 143.8, .77);
    add_mature(rows, 20, &Growth::mature_20, 128.8, .69);
    add_mature(rows, 40, &Growth::mature_40, 91.9, .49);
    return rows;
}

std::vector<Change> read_outs() {
    const auto presence = [](const char* name, const char* title, Settings more, std::vector<Printed> paper) {
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
    const Material material = papers_material(context);
    const Changed by_maturity = changed(modellers(), maturities(), "end", material, at_the_end(), context);
    const Changed by_read_out = changed(modellers(), read_outs(), "end", material, at_the_end(), context);
    std::vector<Experiment> experiments = by_maturity.experiments;
    experiments.insert(experiments.end(), by_read_out.experiments.begin(), by_read_out.experiments.end());
    const ResultsByName results = run_experiments(context, experiments);
    const std::vector<Measure> final = {named("final", "accuracy_final", 4)};
    std::vector<Entry> whole; // all units, whatever is asked of them
    for (std::size_t e = 0; e < by_maturity.entries.size(); e += maturities().size())
        whole.push_back({modellers()[whole.size()].title, by_maturity.entries[e].experiment});
    StudyResult result;
    record(result, experiments, results);
    result.tables = {
        rows_of("maturity", "Asking only units with at least M observations", final, by_maturity.entries,
                results),
        compared("mature-units", "How many units that leaves", mature_units(), whole, results),
        rows_of("read-outs", "The same models, read in other ways", final, by_read_out.entries, results)};
    result.reasons = {{"mature-units", "", "",
                       "Ours has more units with 40 observations: it makes its units earlier in the stream "
                       "(study growth), so that they have seen more by the end."}};
    result.notes = {papers_stream_in_words(material, {}),
                    "Reading changes nothing in a model: all rows of one learner are about the same ones."};
    return result;
}

} // namespace

Study study_read_outs() {
    return {.name = "read-outs",
            .question =
                "What do other ways to read the Modeller's models give, and how many of its units matter?",
            .run = run,
            .asks_about = AsksAbout::own_images,
            .minutes = 1,
            .is_contest = true};
}

} // namespace sprig::lab
