#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/baselines/method.h"
#include "lab/report/comparison.h"
#include "lab/report/study.h"

namespace sprig::baselines {

/// The paper's results for a method, if it reports them.
struct Reported {
    std::optional<double> final = {};
    std::optional<double> spread = {};
    std::optional<double> early = {};
    std::optional<double> wcr_end = {};
    std::optional<double> wcr_worst = {};
    const char* notes = "";
};

/// A method in a table.
struct Row {
    Method method;
    Reported paper = {};
    std::string title = {}; ///< empty: the title of the method
};

struct TablePlan {
    std::string name;
    std::string title;
    std::vector<Row> rows;
};

/// The paper's full comparison, with additional controls.
[[nodiscard]] TablePlan main_table();
/// Online learners without gradient descent, and learners with access to all images.
[[nodiscard]] TablePlan references_table();
/// Other interpretations of what the paper leaves unspecified.
[[nodiscard]] TablePlan readings_table();
/// The paper's sweeps: penalties, cadences, one sample at a time, replay, large blocks.
[[nodiscard]] std::vector<TablePlan> sweep_tables();

/// One of Sprig's learners in the main tables, with the paper's results for its learner.
struct OwnRow {
    LearnerChoice setting;
    std::string title;
    Reported paper = {};
    bool is_tested = false; ///< whether it is tested against all other methods
};
[[nodiscard]] std::vector<OwnRow> own_rows();

/// The results of an experiment, and their title in charts and tables.
struct ResultRef {
    std::string title;
    std::string experiment;
};

/// Accuracy over the cycles of the main methods, of those with larger buffers and of the experts, and the
/// retention chart of each method.
[[nodiscard]] std::vector<lab::StudyChart> charts_of(const std::vector<ResultRef>& own,
                                                     const std::vector<ResultRef>& others,
                                                     const std::vector<std::string>& classes,
                                                     const lab::ResultsByName& results);

/// The paper's table of within-cycle retention.
[[nodiscard]] lab::StudyTable retention_table(const std::vector<ResultRef>& refs,
                                              const lab::ResultsByName& results);
/// Final accuracy by class, of the methods that the paper shows.
[[nodiscard]] lab::StudyTable per_class_table(const std::vector<ResultRef>& refs,
                                              const lab::ResultsByName& results);
/// Adds the tests of one of Sprig's learners against other methods: final accuracies paired by seed. The rows
/// of the paper's learner also have the paper's values.
void add_tests(lab::StudyTable& table, const ResultRef& ours, const std::vector<ResultRef>& others,
               const lab::ResultsByName& results);
[[nodiscard]] lab::StudyTable empty_test_table();

/// Why some results differ from the paper's.
[[nodiscard]] std::vector<lab::Reason> reasons();

} // namespace sprig::baselines
