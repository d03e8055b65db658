#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/baselines/method.h"
#include "lab/report/comparison.h"
#include "lab/report/study.h"

namespace sprig::baselines {

/// What the paper reports of a method, where it does.
struct Reported {
    std::optional<double> final = {};
    std::optional<double> spread = {};
    std::optional<double> early = {};
    std::optional<double> wcr_end = {};
    std::optional<double> wcr_worst = {};
    const char* notes = "";
};

/// One method in a table.
struct Row {
    Method method;
    Reported paper = {};
    std::string title = {}; ///< empty: the method's
};

struct TablePlan {
    std::string name;
    std::string title;
    std::vector<Row> rows;
};

/// The paper's full comparison, with the controls that it lacks.
[[nodiscard]] TablePlan main_table();
/// What learners of pixels reach that cannot forget, and those that have all images at hand.
[[nodiscard]] TablePlan references_table();
/// Other readings of what the paper leaves open: what they would change.
[[nodiscard]] TablePlan readings_table();
/// The paper's sweeps: penalties, cadences, one sample at a time, replay, blocks with much data.
[[nodiscard]] std::vector<TablePlan> sweep_tables();

/// Our own learners in the main table, and what the paper reports of its.
struct OwnRow {
    LearnerChoice setting;
    std::string title;
    Reported paper = {};
    bool is_tested = false; ///< against all others
};
[[nodiscard]] std::vector<OwnRow> own_rows();

/// What stands in a chart: how it is called there, and whose results it shows.
struct Shown {
    std::string title;
    std::string experiment;
};

/// Accuracy over the cycles of everybody, of those with larger buffers and of the experts, and how each keeps
/// its classes. Whoever has no results is left out.
[[nodiscard]] std::vector<lab::StudyChart> charts_of(const std::vector<Shown>& own,
                                                     const std::vector<Shown>& others,
                                                     const std::vector<std::string>& classes,
                                                     const lab::ResultsByName& results);

/// How much of a class is kept within a cycle, early and over the whole stream: the paper's table.
[[nodiscard]] lab::StudyTable retention_table(const std::vector<Shown>& shown,
                                              const lab::ResultsByName& results);
/// Final accuracy by class, of those that the paper shows.
[[nodiscard]] lab::StudyTable per_class_table(const std::vector<Shown>& shown,
                                              const lab::ResultsByName& results);
/// One of ours against all others: final accuracies seed by seed. Beside the paper's own learner stand the
/// figures that the paper prints.
void add_tests(lab::StudyTable& table, const Shown& ours, const std::vector<Shown>& others,
               const lab::ResultsByName& results);
[[nodiscard]] lab::StudyTable empty_test_table();

/// Why some rows differ from the paper's.
[[nodiscard]] std::vector<lab::Reason> reasons();

} // namespace sprig::baselines
