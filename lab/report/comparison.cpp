#include "lab/report/comparison.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sprig::lab {

namespace {

/// Which of the paper's values a group of columns shows.
struct PaperColumns {
    bool value = false;
    bool spread = false;

    void add(const PaperValue& paper) {
        value = value || paper.value;
        spread = spread || paper.spread;
    }
};

PaperValue paper_value(const Entry& entry, std::size_t measure) {
    return measure < entry.paper.size() ? entry.paper[measure] : PaperValue{};
}

void add_header(std::vector<std::string>& header, const std::string& title, const PaperColumns& shown) {
    header.insert(header.end(), {title, "sd"});
    if (!shown.value) return;
    header.emplace_back("paper");
    if (shown.spread) header.emplace_back("sd");
    header.insert(header.end(), {"off", "agree"});
}

void add_values(std::vector<Cell>& row, std::span<const double> ours, const Measure& measure,
                const PaperValue& paper, const PaperColumns& shown) {
    const auto optional_cell = [&](std::optional<double> number) {
        return number ? cell(number, measure.digits) : cell("");
    };
    add_mean(row, ours, measure.digits);
    if (!shown.value) return;
    row.push_back(optional_cell(paper.value));
    if (shown.spread) row.push_back(optional_cell(paper.spread));
    const std::optional<double> mean_of_ours = mean(ours);
    row.push_back(optional_cell(paper.value && mean_of_ours ? std::optional(*mean_of_ours - *paper.value)
                                                            : std::nullopt));
    row.push_back(agreement(ours, paper));
}

/// The largest rounding error of a value in the paper, which reports shares with at least two decimals and
/// counts as whole numbers.
double rounding_of(double value) {
    return std::abs(value) < 2 ? .005 : .5;
}

std::optional<double> number_by_name(std::string_view name, const NamedNumbers& numbers) {
    const auto found = std::ranges::find(numbers, name, [](const auto& number) { return number.first; });
    return found == numbers.end() ? std::nullopt : found->second;
}

/// The names of all numbers, in the order of their first appearance.
std::vector<std::string> names_in(const ResultsByName& results) {
    std::vector<std::string> names;
    for (const auto& own : results)
        for (const auto& number : own.second.means())
            if (std::ranges::count(names, number.first) == 0) names.push_back(number.first);
    return names;
}

} // namespace

Measure metric(std::string title, std::string name, int digits) {
    return {std::move(title), digits, [name = std::move(name)](const SeedRun& run) -> std::optional<double> {
                return number_by_name(name, numbers_of(run));
            }};
}

Measure accuracy_after(std::size_t cycle) {
    return {fmt::format("end of cycle {}", cycle), 3,
            [cycle](const SeedRun& run) { return accuracy_at_end_of(run.accuracy, cycle); }};
}

Measure final_accuracy_of(const std::string& title, std::size_t label) {
    return {title, 3, [label](const SeedRun& run) -> std::optional<double> {
                return final_scores(run).by_class()[label];
            }};
}

Measure units_after(std::string title, std::size_t cycle,
                    const std::function<std::size_t(const ModelSizes&)>& count) {
    return {std::move(title), 1, [cycle, count](const SeedRun& run) -> std::optional<double> {
                const Checkpoint* end = end_of_cycle(run, cycle);
                if (end == nullptr) return std::nullopt;
                return static_cast<double>(count(end->units));
            }};
}

std::vector<double> values_of(const Results& results, const Measure& measure) {
    std::vector<double> values;
    for (const SeedRun& run : results.runs())
        if (const std::optional<double> value = measure.of(run)) values.push_back(*value);
    return values;
}

std::optional<bool> agrees(std::optional<double> ours, std::optional<double> spread,
                           const PaperValue& paper) {
    if (paper.spread) spread = paper.spread;
    if (!paper.value || !ours || !spread) return std::nullopt;
    const double tolerance = std::max(*spread, rounding_of(*paper.value)) + 1e-9;
    return std::abs(*ours - *paper.value) <= tolerance;
}

Cell agreement(std::span<const double> ours, const PaperValue& paper) {
    const std::optional<bool> result = agrees(mean(ours), deviation(ours), paper);
    return result ? agreement(*result) : cell("");
}

StudyTable experiments_as_rows(std::string name, std::string title, const std::vector<Measure>& measures,
                               const std::vector<Entry>& entries, const ResultsByName& results) {
    StudyTable table{std::move(name), std::move(title), {"experiment"}};
    std::vector<PaperColumns> paper_columns(measures.size());
    for (std::size_t m = 0; m < measures.size(); ++m) {
        for (const Entry& entry : entries) paper_columns[m].add(paper_value(entry, m));
        add_header(table.header, measures[m].title, paper_columns[m]);
    }
    for (const Entry& entry : entries) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(entry.title));
        for (std::size_t m = 0; m < measures.size(); ++m)
            add_values(row, values_of(results.at(entry.experiment), measures[m]), measures[m],
                       paper_value(entry, m), paper_columns[m]);
    }
    return table;
}

StudyTable measures_as_rows(std::string name, std::string title, const std::vector<Measure>& measures,
                            const std::vector<Entry>& entries, const ResultsByName& results) {
    StudyTable table{std::move(name), std::move(title), {"measure"}};
    std::vector<PaperColumns> paper_columns(entries.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
        for (std::size_t m = 0; m < measures.size(); ++m) paper_columns[e].add(paper_value(entries[e], m));
        add_header(table.header, entries[e].title, paper_columns[e]);
    }
    for (std::size_t m = 0; m < measures.size(); ++m) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(measures[m].title));
        for (std::size_t e = 0; e < entries.size(); ++e)
            add_values(row, values_of(results.at(entries[e].experiment), measures[m]), measures[m],
                       paper_value(entries[e], m), paper_columns[e]);
    }
    return table;
}

StudyTable seed_table(const ResultsByName& results) {
    const std::vector<std::string> names = names_in(results);
    StudyTable table{"seeds", "Results by seed", {"experiment", "seed", "model"}};
    table.header.insert(table.header.end(), names.begin(), names.end());
    for (const auto& [experiment, own] : results) {
        for (const SeedRun& run : own.runs()) {
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(experiment), cell(std::to_string(run.seed)),
                   cell(fmt::format("{:016x}", run.digest))};
            const NamedNumbers numbers = numbers_of(run);
            for (const std::string& name : names) row.push_back(cell(number_by_name(name, numbers), 6));
        }
    }
    return table;
}

void record(StudyResult& result, const std::vector<Experiment>& experiments, const ResultsByName& results) {
    for (const Experiment& experiment : experiments) {
        std::pair<std::string, std::string> entry = {experiment.key.name, experiment.key.inputs.dump()};
        if (std::ranges::count(result.experiments, entry) == 0)
            result.experiments.push_back(std::move(entry));
    }
    result.files.push_back(seed_table(results));
}

} // namespace sprig::lab
