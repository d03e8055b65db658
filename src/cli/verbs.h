#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/declarations.h"
#include "cli/program.h"

namespace sprig::cli {

// Each adds one verb to the program. A verb's work is done in its callback, after parsing.
void add_data_verb(CLI::App& app);
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
void add_show_verb(CLI::App& app);

/// Verbs that are commands of another program now: each says in one sentence where it went.
void add_moved_verbs(CLI::App& app);
/// One of them: what was `name` is `now`.
void add_moved_verb(CLI::App& app, const std::string& name, const std::string& now);

} // namespace sprig::cli
