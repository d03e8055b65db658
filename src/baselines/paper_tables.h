#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baselines/method.h"
#include "lab/study.h"

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
    lab::LearnerSetting setting;
    std::string title;
    Reported paper = {};
    bool is_tested = false; ///< against all others
};
[[nodiscard]] std::vector<OwnRow> own_rows();

} // namespace sprig::baselines
