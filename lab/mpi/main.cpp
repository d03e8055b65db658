#include <chrono>
#include <string_view>
#include <thread>

#include <mpi.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "lab/cli/verbs.h"
#include "lab/mpi/mpi_process_group.h"

namespace sprig::mpi {
namespace {

/// The only verb whose work can be shared.
bool is_run(int argc, char** argv) {
    return argc > 1 && std::string_view(argv[1]) == "run";
}

cli::Outcome run(int argc, char** argv, MpiProcessGroup& group) {
    const bool shares = group.size() > 1 && is_run(argc, argv);
    if (!shares && group.rank() > 0) return {};
    return cli::run(lab::lab_program(shares ? &group : nullptr), argc, argv);
}

/// All processes end together: rank 0 must serve the counter until then.
cli::Outcome wait_for_all(MpiProcessGroup& group) {
    try {
        group.wait_for_all();
        return {};
    } catch (const cli::Interrupted&) {
        return {cli::interrupted, "sprig-lab: stopped"};
    }
}

/// A process that fails ends all. An error that all of them have is printed once, by rank 0: the others wait.
[[noreturn]] void fail(const cli::Outcome& outcome, MpiProcessGroup& group) {
    if (group.rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    cli::print_message(outcome.message);
    group.end_all(outcome.code);
}

void run_in_group(int argc, char** argv) {
    MpiProcessGroup group(cli::stop_if_interrupted);
    cli::Outcome outcome = run(argc, argv, group);
    if (outcome.code == cli::done) outcome = wait_for_all(group);
    if (outcome.code != cli::done) fail(outcome, group);
}

} // namespace
} // namespace sprig::mpi

int main(int argc, char** argv) {
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    if (threads < MPI_THREAD_SERIALIZED) {
        sprig::cli::print_message("sprig-lab: this MPI library does not support threads "
                                  "(MPI_THREAD_SERIALIZED); install another one");
        MPI_Abort(MPI_COMM_WORLD, sprig::cli::work_failed);
    }
    sprig::mpi::run_in_group(argc, argv);
    MPI_Finalize();
    return sprig::cli::done;
}
