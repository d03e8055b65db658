#pragma once

#include <CLI/CLI.hpp>

namespace sprig::lab {
class Team;
}

namespace sprig::cli {

// Each adds one verb to the program. A verb's work is done in its callback, after parsing.
void add_data_verb(CLI::App& app);
void add_lab_verb(CLI::App& app, lab::Team* team = nullptr); ///< who shares its work; null: nobody
void add_run_verb(CLI::App& app);
void add_class_verb(CLI::App& app);
void add_diff_verb(CLI::App& app);
void add_explain_verb(CLI::App& app);
void add_export_verb(CLI::App& app);
void add_inspect_verb(CLI::App& app);
void add_learn_verb(CLI::App& app);
void add_merge_verb(CLI::App& app);
void add_predict_verb(CLI::App& app);
void add_test_verb(CLI::App& app);
void add_undo_verb(CLI::App& app);
void add_verify_verb(CLI::App& app);
void add_shell_verbs(CLI::App& app); ///< completion and man, and a hidden one that answers for the completion
void add_show_verb(CLI::App& app);
void add_summary_verb(CLI::App& app);

/// What the program's exit code says.
enum ExitCode : int { done = 0, work_failed = 1, wrong_usage = 2, wrong_input = 3, interrupted = 130 };

/// Thrown by a verb whose result is its exit code, when all has been said.
struct EndWith {
    ExitCode code = done;
};

} // namespace sprig::cli
