#include "cli/process_group.h"
#include "cli/program.h"
#include "cli/verbs.h"
#include "mpi/mpi_group.h"

namespace {

constexpr const char* description =
    "Verbs of 'sprig' for several processes, on one machine or on many. mpirun or srun starts them.\n"
    "The result is the same as that of 'sprig', for any number of processes.";

constexpr const char* footer = R"(
Examples:
  mpirun -n 4 sprig-mpi learn digits.sprig mnist:train
  mpirun -n 4 sprig-mpi test digits.sprig mnist:t10k
  mpirun -n 4 sprig-mpi predict digits.sprig dir:scans --json)";

} // namespace

int main(int argc, char** argv) {
    return sprig::mpi::run_as_group(argc, argv, [&](sprig::cli::ProcessGroup& group) {
        const auto add_verbs = [&](CLI::App& app) {
            sprig::cli::add_learn_verb(app, &group);
            sprig::cli::add_predict_verb(app, &group);
            sprig::cli::add_test_verb(app, &group);
        };
        return sprig::cli::run({"sprig-mpi", description, footer, add_verbs, group.rank() == 0}, argc, argv);
    });
}
