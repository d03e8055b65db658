#include "cli/declarations.h"
#include "lab/cli/verbs.h"
#include "lab/protocol/pieces.h"

namespace sprig::lab {

cli::Program lab_program(Team* team) {
    cli::Program program;
    program.name = "sprig-lab";
    program.description =
        "The lab of Sprig: studies of its learners, each with its experiment, and what the learners\n"
        "are compared with.";
    program.footer = R"(
Addresses:
  mnist:train  dir:PATH  ...  as of 'sprig --help'

Exit codes:
  0    done
  1    the work failed: a disk is full, a guarantee does not hold
  2    wrong usage: an option, an address or a number that makes no sense
  3    bad input: a file is missing, cut short, damaged or too large
  130  stopped by Ctrl-C (or SIGTERM), at a safe point

Examples:
  sprig-lab list
  sprig-lab run headline --learner both --seeds 0 --out out
  sprig-lab run all --threads 2 && sprig-lab report
  sprig-lab summary mnist:all --filter paper)";
    program.add_verbs = [team](CLI::App& app) {
        add_run_verb(app, team);
        add_list_verb(app);
        add_report_verb(app);
        add_summary_verb(app);
        add_filter_verb(app);
        cli::add_shell_verbs(app);
    };
    program.speaks = team == nullptr || team->rank() == 0;
    return program;
}

} // namespace sprig::lab
