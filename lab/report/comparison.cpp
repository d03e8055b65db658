#include "lab/report/comparison.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sprig::lab {

namespace {

/// Which of the paper's figures a group of cells has a place for.
struct Places {
    bool value = false;
    bool spread = false;

    void add(const Printed& paper) {
        value = value || paper.value;
        spread = spread || paper.spread;
    }
};

Printed printed(const Entry& entry, std::size_t measure) {
    return measure < entry.paper.size() ? entry.paper[measure] : Printed{};
}

void add_header(std::vector<std::string>& header, const std::string& title, const Places& places) {
    header.insert(header.end(), {title, "sd"});
    if (!places.value) return;
    header.emplace_back("paper");
    if (places.spread) header.emplace_back("sd");
    header.insert(header.end(), {"off", "agree"});
}

void add_figures(std::vector<Cell>& row, std::span<const double> ours, const Measure& measure,
                 const Printed& paper, const Places& places) {
    const auto shown = [&](std::optional<double> number) {
        return number ? cell(number, measure.digits) : cell("");
    };
    add_mean(row, ours, measure.digits);
    if (!places.value) return;
    row.push_back(shown(paper.value));
    if (places.spread) row.push_back(shown(paper.spread));
    const std::optional<double> mean_of_ours = mean(ours);
    row.push_back(
        shown(paper.value && mean_of_ours ? std::optional(*mean_of_ours - *paper.value) : std::nullopt));
    row.push_back(verdict(ours, paper));
}

/// What the paper may have rounded away: it prints shares with two digits or more, counts as whole numbers.
double rounding_of(double printed_value) {
    return std::abs(printed_value) < 2 ? .005 : .5;
}

std::optional<double> number_called(std::string_view name, const NamedNumbers& numbers) {
    const auto found = std::ranges::find(numbers, name, [](const auto& number) { return number.first; });
    return found == numbers.end() ? std::nullopt : found->second;
}

/// All names that some run has a number for, in the order in which they come.
std::vector<std::string> names_in(const ResultsByName& results) {
    std::vector<std::string> names;
    for (const auto& own : results)
        for (const auto& number : own.second.means())
            if (std::ranges::count(names, number.first) == 0) names.push_back(number.first);
    return names;
}

} // namespace

Measure named(std::string title, std::string name, int digits) {
    return {std::move(title), digits, [name = std::move(name)](const SeedRun& run) -> std::optional<double> {
                return number_called(name, numbers_of(run));
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
                    const std::function<std::size_t(const Growth&)>& count) {
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

Cell verdict(std::span<const double> ours, const Printed& paper) {
    const std::optional<double> value = mean(ours);
    const std::optional<double> spread = paper.spread ? paper.spread : deviation(ours);
    if (!paper.value || !value || !spread) return cell("");
    const double tolerated = std::max(*spread, rounding_of(*paper.value)) + 1e-9;
    return agreement(std::abs(*value - *paper.value) <= tolerated);
}

StudyTable rows_of(std::string name, std::string title, const std::vector<Measure>& measures,
                   const std::vector<Entry>& entries, const ResultsByName& results) {
    StudyTable table{std::move(name), std::move(title), {"experiment"}};
    std::vector<Places> places(measures.size());
    for (std::size_t m = 0; m < measures.size(); ++m) {
        for (const Entry& entry : entries) places[m].add(printed(entry, m));
        add_header(table.header, measures[m].title, places[m]);
    }
    for (const Entry& entry : entries) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(entry.title));
        for (std::size_t m = 0; m < measures.size(); ++m)
            add_figures(row, values_of(results.at(entry.experiment), measures[m]), measures[m],
                        printed(entry, m), places[m]);
    }
    return table;
}

StudyTable columns_of(std::string name, std::string title, const std::vector<Measure>& measures,
                      const std::vector<Entry>& entries, const ResultsByName& results) {
    StudyTable table{std::move(name), std::move(title), {"measure"}};
    std::vector<Places> places(entries.size());
    for (std::size_t e = 0; e < entries.size(); ++e) {
        for (std::size_t m = 0; m < measures.size(); ++m) places[e].add(printed(entries[e], m));
        add_header(table.header, entries[e].title, places[e]);
    }
    for (std::size_t m = 0; m < measures.size(); ++m) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back(cell(measures[m].title));
        for (std::size_t e = 0; e < entries.size(); ++e)
            add_figures(row, values_of(results.at(entries[e].experiment), measures[m]), measures[m],
                        printed(entries[e], m), places[e]);
    }
    return table;
}

StudyTable seeds_of(const ResultsByName& results) {
    const std::vector<std::string> names = names_in(results);
    StudyTable table{"seeds", "What each seed gave", {"experiment", "seed", "model"}};
    table.header.insert(table.header.end(), names.begin(), names.end());
    for (const auto& [experiment, own] : results) {
        for (const SeedRun& run : own.runs()) {
            std::vector<Cell>& row = table.rows.emplace_back();
            row = {cell(experiment), cell(std::to_string(run.seed)),
                   cell(fmt::format("{:016x}", run.digest))};
            const NamedNumbers numbers = numbers_of(run);
            for (const std::string& name : names) row.push_back(cell(number_called(name, numbers), 6));
        }
    }
    return table;
}

void record(StudyResult& result, const std::vector<Experiment>& experiments, const ResultsByName& results) {
    for (const Experiment& experiment : experiments) {
        std::pair<std::string, std::string> noted = {experiment.work.name, experiment.work.what.dump()};
        if (std::ranges::count(result.experiments, noted) == 0)
            result.experiments.push_back(std::move(noted));
    }
    result.files.push_back(seeds_of(results));
}

} // namespace sprig::lab
