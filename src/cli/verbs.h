#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/program.h"
#include "cli/shell_support.h"

namespace sprig::cli {

class ProcessGroup;

// Each adds one verb to the program. The verb's callback does its work after parsing. With a group of
// processes they share the work, and the first one prints the result.
void add_data_verb(CLI::App& app);
void add_class_verb(CLI::App& app);
void add_diff_verb(CLI::App& app);
void add_explain_verb(CLI::App& app);
void add_export_verb(CLI::App& app);
void add_inspect_verb(CLI::App& app);
void add_learn_verb(CLI::App& app, ProcessGroup* group = nullptr);
void add_merge_verb(CLI::App& app);
void add_predict_verb(CLI::App& app, ProcessGroup* group = nullptr);
void add_test_verb(CLI::App& app, ProcessGroup* group = nullptr);
void add_serve_verb(CLI::App& app);
void add_undo_verb(CLI::App& app);
void add_verify_verb(CLI::App& app);
void add_show_verb(CLI::App& app);

/// Adds verbs that have moved to another program; each reports the new command.
void add_moved_verbs(CLI::App& app);
/// Adds one of them: the verb `name` is now the command `now`.
void add_moved_verb(CLI::App& app, const std::string& name, const std::string& now);

} // namespace sprig::cli
