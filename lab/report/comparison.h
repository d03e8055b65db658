#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/protocol/experiment.h"
#include "lab/protocol/results.h"
#include "lab/report/study.h"

namespace sprig::lab {

/// A value that the paper reports, if it does.
struct PaperValue {
    std::optional<double> value = {};
    std::optional<double> spread = {};
};

/// A number of a seed's run, and how it is shown.
struct Measure {
    std::string title;
    int digits = 3;
    std::function<std::optional<double>(const SeedRun& run)> of;
};

/// One of the numbers of `numbers_of`, by name.
[[nodiscard]] Measure metric(std::string title, std::string name, int digits = 3);
/// The accuracy at the end of a cycle, on the held-out images that were drawn with the stream.
[[nodiscard]] Measure accuracy_after(std::size_t cycle);
/// The accuracy of one class at the end of the stream.
[[nodiscard]] Measure final_accuracy_of(const std::string& title, std::size_t label);
/// The number of units at the end of a cycle, as `count` counts them.
[[nodiscard]] Measure units_after(std::string title, std::size_t cycle,
                                  const std::function<std::size_t(const ModelSizes&)>& count);

/// The values of a measure by seed, without seeds that do not have it.
[[nodiscard]] std::vector<double> values_of(const Results& results, const Measure& measure);

/// Whether our mean, `ours`, agrees with the paper's value: it lies within the spread that the paper reports
/// or, if it reports none, within ours, rounding allowed for. Not set if there is nothing to compare.
[[nodiscard]] std::optional<bool> agrees(std::optional<double> ours, std::optional<double> spread,
                                         const PaperValue& paper);
/// The same as a tick or a cross; empty if there is nothing to compare.
[[nodiscard]] Cell agreement(std::span<const double> ours, const PaperValue& paper);

/// An experiment in a table, and the paper's values for it.
struct Entry {
    std::string title;
    std::string experiment;             ///< its name
    std::vector<PaperValue> paper = {}; ///< by measure; empty: none reported
};

using ResultsByName = std::map<std::string, Results>;

/// A table with a row for each experiment and a column for each measure.
[[nodiscard]] StudyTable experiments_as_rows(std::string name, std::string title,
                                             const std::vector<Measure>& measures,
                                             const std::vector<Entry>& entries, const ResultsByName& results);
/// The same transposed: a row for each measure and a column for each experiment.
[[nodiscard]] StudyTable measures_as_rows(std::string name, std::string title,
                                          const std::vector<Measure>& measures,
                                          const std::vector<Entry>& entries, const ResultsByName& results);

/// All numbers of each seed of each experiment, with the digest of its model.
[[nodiscard]] StudyTable seed_table(const ResultsByName& results);
/// Adds to a study's result what determines its experiments, and the table of their seeds.
void record(StudyResult& result, const std::vector<Experiment>& experiments, const ResultsByName& results);

} // namespace sprig::lab
