#include "lab/baselines/study_baselines.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "lab/baselines/method.h"
#include "lab/baselines/net.h"
#include "lab/baselines/paper_tables.h"
#include "lab/report/comparison.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using lab::Cell;
using lab::cell;
using lab::ResultsByName;

const std::vector<std::string> header = {"learner",  "final",  "sd",      "paper",       "sd",    "agree",
                                         "early",    "paper",  "wcr end", "paper",       "worst", "paper",
                                         "kept KiB", "images", "units",   "in the paper"};

/// The number of tables that also show Sprig's learners, which are tested against the other rows.
constexpr std::size_t main_tables = 2;

Cell reported_cell(std::optional<double> number, int digits) {
    return number ? cell(number, digits) : cell("");
}

std::vector<Cell> row_of(const std::string& title, const lab::Results& results, const Reported& paper) {
    const auto mean = [&](const char* name) { return results.mean_of(name); };
    const auto kib = mean("bytes");
    return {cell(title),
            cell(mean("accuracy_final"), 3),
            cell(results.deviation_of("accuracy_final"), 3),
            reported_cell(paper.final, 3),
            reported_cell(paper.spread, 3),
            lab::agreement(lab::values_of(results, lab::metric("final", "accuracy_final")),
                           {paper.final, paper.spread}),
            cell(mean("early"), 3),
            reported_cell(paper.early, 3),
            cell(mean("wcr_end"), 2),
            reported_cell(paper.wcr_end, 2),
            cell(mean("wcr_worst"), 2),
            reported_cell(paper.wcr_worst, 2),
            cell(kib ? std::optional(*kib / 1024) : std::nullopt, 0),
            cell(mean("singletons"), 1),
            cell(mean("units"), 1),
            cell(paper.notes)};
}

/// The tables to be filled.
struct Plan {
    std::vector<OwnRow> own;
    std::vector<TablePlan> tables;
    bool lacks_networks = false; ///< rows that need networks were left out
};

std::set<std::string> families_of(const Plan& plan) {
    std::set<std::string> families;
    for (const OwnRow& row : plan.own) families.insert(row.setting.learner);
    for (const TablePlan& table : plan.tables)
        for (const Row& row : table.rows) families.insert(row.method.family);
    return families;
}

/// Keeps only the rows of the chosen families.
void choose(Plan& plan, const std::vector<std::string>& families) {
    if (families.empty()) return;
    const std::set<std::string> known = families_of(plan);
    for (const std::string& family : families) {
        if (!known.contains(family))
            throw usage_error(
                fmt::format("there is no method '{}': the methods are {}", family, fmt::join(known, ", ")));
    }
    const auto is_chosen = [&](const std::string& family) {
        return std::ranges::count(families, family) > 0;
    };
    std::erase_if(plan.own, [&](const OwnRow& row) { return !is_chosen(row.setting.learner); });
    for (TablePlan& table : plan.tables)
        std::erase_if(table.rows, [&](const Row& row) { return !is_chosen(row.method.family); });
}

/// Without LibTorch the other methods can still be compared. It is an error only if a network was chosen by
/// name.
void leave_out_networks(Plan& plan, bool chosen_by_name) {
    for (TablePlan& table : plan.tables) {
        const auto left_out =
            std::erase_if(table.rows, [](const Row& row) { return row.method.needs_network; });
        if (left_out > 0) plan.lacks_networks = true;
    }
    if (plan.lacks_networks && chosen_by_name) throw failed(why_no_networks());
}

Plan plan_of(const lab::StudyContext& context) {
    Plan plan{own_rows(), {main_table(), references_table(), readings_table()}};
    if (context.full) std::ranges::move(sweep_tables(), std::back_inserter(plan.tables));
    choose(plan, context.methods);
    if (!has_networks()) leave_out_networks(plan, !context.methods.empty());
    return plan;
}

std::string work_name(const OwnRow& row) {
    return row.setting.learner + "-" + row.setting.preset;
}

std::vector<lab::Experiment> experiments_of(const Plan& plan, const lab::ExperimentData& data,
                                            const lab::StudyContext& context) {
    std::vector<lab::Experiment> experiments;
    for (const OwnRow& row : plan.own)
        experiments.push_back(
            lab::experiment(work_name(row), row.setting, data, lab::limited({}, context), context));
    for (const TablePlan& table : plan.tables)
        for (const Row& row : table.rows) experiments.push_back(experiment(row.method, data, context));
    return experiments;
}

std::string title_of(const Row& row) {
    return row.title.empty() ? row.method.title : row.title;
}

lab::StudyTable table_of(const TablePlan& plan, const std::vector<OwnRow>& own,
                         const ResultsByName& results) {
    lab::StudyTable table{plan.name, plan.title, header, {}};
    for (const OwnRow& row : own)
        table.rows.push_back(row_of(row.title, results.at(work_name(row)), row.paper));
    for (const Row& row : plan.rows) {
        table.rows.push_back(row_of(title_of(row), results.at(row.method.name), row.paper));
    }
    return table;
}

std::vector<ResultRef> result_refs(const std::vector<OwnRow>& rows) {
    std::vector<ResultRef> refs;
    refs.reserve(rows.size());
    for (const OwnRow& row : rows) refs.push_back({row.title, work_name(row)});
    return refs;
}

std::vector<ResultRef> result_refs(const TablePlan& plan) {
    std::vector<ResultRef> refs;
    refs.reserve(plan.rows.size());
    for (const Row& row : plan.rows) refs.push_back({title_of(row), row.method.name});
    return refs;
}

lab::StudyTable tests_of(const Plan& plan, const ResultsByName& results) {
    lab::StudyTable table = empty_test_table();
    for (const OwnRow& ours : plan.own) {
        if (!ours.is_tested) continue;
        for (std::size_t t = 0; t < main_tables; ++t)
            add_tests(table, {ours.title, work_name(ours)}, result_refs(plan.tables[t]), results);
    }
    return table;
}

/// The paper's other comparisons.
void add_comparisons(lab::StudyResult& result, const Plan& plan, const lab::ExperimentData& data,
                     const ResultsByName& results) {
    const std::vector<ResultRef> own = result_refs(plan.own);
    const std::vector<ResultRef> others = result_refs(plan.tables.front());
    std::vector<ResultRef> all = own;
    all.insert(all.end(), others.begin(), others.end());
    for (lab::StudyTable table :
         {retention_table(all, results), per_class_table(all, results), tests_of(plan, results)})
        if (!table.rows.empty() && table.header.size() > 1) result.tables.push_back(std::move(table));
    result.charts = charts_of(own, others, data.dataset.classes(), results);
    result.reasons = reasons();
}

std::vector<std::string> notes_of(const lab::ExperimentData& data) {
    return {
        fmt::format(
            "The paper's stream: 20 cycles of 10 classes with 5 new images each, drawn by seed from "
            "{} filtered images; 20 other images of each class are held out and tested after every block.",
            data.pool.size()),
        "✓: our final accuracy lies within the spread that the paper reports or, if it reports none, within "
        "ours; ✗: it does not.",
        "kept KiB: all that is needed to continue learning, i.e. weights with the optimiser's state, "
        "statistics "
        "and stored images. images: the number of stored images (for Sprig's learners, units with one "
        "sample). "
        "units: the number of Sprig's units, or of experts."};
}

lab::StudyResult run(const lab::StudyContext& context) {
    const Plan plan = plan_of(context); // reports wrong options before anything is loaded
    const lab::ExperimentData data = lab::load_data({}, context.begin("the paper's filter"));
    const std::vector<lab::Experiment> experiments = experiments_of(plan, data, context);
    const ResultsByName results = lab::run_experiments(context, experiments);
    lab::StudyResult result;
    lab::record(result, experiments, results);
    for (std::size_t i = 0; i < plan.tables.size(); ++i) {
        lab::StudyTable table =
            table_of(plan.tables[i], i < main_tables ? plan.own : std::vector<OwnRow>{}, results);
        if (!table.rows.empty()) result.tables.push_back(std::move(table));
    }
    add_comparisons(result, plan, data, results);
    result.notes = notes_of(data);
    if (plan.lacks_networks) result.notes.push_back("Some rows are missing: " + why_no_networks() + ".");
    return result;
}

} // namespace

lab::Study study_baselines() {
    return {.name = "baselines",
            .question =
                "How accurate are other learners on the identical stream, and how much memory do they use?",
            .run = run,
            .test_images = lab::TestImages::own_images,
            .minutes = 25,
            .compares_learners = true,
            .has_methods = true};
}

} // namespace sprig::baselines
