#pragma once

#include <CLI/CLI.hpp>

#include "cli/program.h"

namespace sprig::lab {

class ProcessGroup;

// Each adds one verb to the program.
void add_run_verb(CLI::App& app, ProcessGroup* group = nullptr); ///< `group` shares the work
void add_list_verb(CLI::App& app);
void add_report_verb(CLI::App& app);
void add_summary_verb(CLI::App& app);
void add_filter_verb(CLI::App& app);

/// The program sprig-lab. `group`: the processes that share the work of 'run'; null for a single process.
[[nodiscard]] cli::Program lab_program(ProcessGroup* group = nullptr);

} // namespace sprig::lab
