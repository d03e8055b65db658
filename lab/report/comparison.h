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

/// What the paper prints of something, where it does.
struct Printed {
    std::optional<double> value = {};
    std::optional<double> spread = {};
};

/// One number of a seed's run, and how it is shown.
struct Measure {
    std::string title;
    int digits = 3;
    std::function<std::optional<double>(const SeedRun& run)> of;
};

/// One of the numbers that `numbers_of` names.
[[nodiscard]] Measure named(std::string title, std::string name, int digits = 3);
/// The accuracy at the end of a cycle, on the images drawn with the stream.
[[nodiscard]] Measure accuracy_after(std::size_t cycle);
/// The accuracy of one class at the end of the stream.
[[nodiscard]] Measure final_accuracy_of(const std::string& title, std::size_t label);
/// How many units of some kind there are at the end of a cycle.
[[nodiscard]] Measure units_after(std::string title, std::size_t cycle,
                                  const std::function<std::size_t(const Growth&)>& count);

/// What an experiment gave, seed by seed; seeds that say nothing of it are left out.
[[nodiscard]] std::vector<double> values_of(const Results& results, const Measure& measure);

/// Whether ours agrees with the paper's: it lies within the spread that the paper prints or, where it prints
/// none, within ours; what the paper rounded away is no difference. Empty where there is nothing to compare.
[[nodiscard]] Cell verdict(std::span<const double> ours, const Printed& paper);

/// One experiment in a table, and what the paper prints of it.
struct Entry {
    std::string title;
    std::string experiment;          ///< its name
    std::vector<Printed> paper = {}; ///< by measure; empty: it says nothing of it
};

using ResultsByName = std::map<std::string, Results>;

/// A table with a row for each experiment; its columns are the measures.
[[nodiscard]] StudyTable rows_of(std::string name, std::string title, const std::vector<Measure>& measures,
                                 const std::vector<Entry>& entries, const ResultsByName& results);
/// The same lying on its side: a row for each measure, its columns are the experiments.
[[nodiscard]] StudyTable columns_of(std::string name, std::string title, const std::vector<Measure>& measures,
                                    const std::vector<Entry>& entries, const ResultsByName& results);

/// What each seed of each experiment gave, with the digest of its model: for programs, and to compare with.
[[nodiscard]] StudyTable seeds_of(const ResultsByName& results);
/// Notes in a study's result what its experiments hang on, and what each seed of them gave.
void record(StudyResult& result, const std::vector<Experiment>& experiments, const ResultsByName& results);

} // namespace sprig::lab
