#pragma once

#include <CLI/CLI.hpp>

#include "cli/program.h"

namespace sprig::lab {

class Team;

// Each adds one verb to the program.
void add_run_verb(CLI::App& app, Team* team = nullptr); ///< who shares its work; null: nobody
void add_list_verb(CLI::App& app);
void add_report_verb(CLI::App& app);
void add_summary_verb(CLI::App& app);
void add_filter_verb(CLI::App& app);

/// The program of the lab; `team`: who runs the same program and shares the work of 'run'.
[[nodiscard]] cli::Program lab_program(Team* team = nullptr);

} // namespace sprig::lab
