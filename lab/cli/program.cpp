#include "cli/shell_support.h"
#include "lab/cli/verbs.h"
#include "lab/protocol/work_items.h"

namespace sprig::lab {

cli::Program lab_program(ProcessGroup* group) {
    cli::Program program;
    program.name = "sprig-lab";
    program.description =
        "Sprig's lab: studies that measure the learners of Sprig and compare them with other methods.";
    program.footer = R"(
Addresses:
  mnist:train  dir:PATH  ...  see 'sprig --help'

Exit codes:
  0    success
  1    failure, such as a full disk or a guarantee that does not hold
  2    wrong usage: an invalid option, address or value
  3    bad input: a missing, truncated, damaged or too large file
  130  stopped by Ctrl-C or SIGTERM

Examples:
  sprig-lab list
  sprig-lab run headline --learner both --seeds 0 --out out
  sprig-lab run all --threads 2 && sprig-lab report
  sprig-lab summary mnist:all --filter paper)";
    program.add_verbs = [group](CLI::App& app) {
        add_run_verb(app, group);
        add_list_verb(app);
        add_report_verb(app);
        add_summary_verb(app);
        add_filter_verb(app);
        cli::add_shell_verbs(app);
    };
    program.prints_help = group == nullptr || group->rank() == 0;
    return program;
}

} // namespace sprig::lab
