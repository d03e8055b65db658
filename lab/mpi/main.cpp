#include <chrono>
#include <string_view>
#include <thread>

#include <mpi.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "lab/cli/verbs.h"
#include "lab/mpi/mpi_team.h"

namespace sprig::mpi {
namespace {

/// Only this can be shared.
bool is_run(int argc, char** argv) {
    return argc > 1 && std::string_view(argv[1]) == "run";
}

cli::Outcome run(int argc, char** argv, MpiTeam& team) {
    const bool shares = team.size() > 1 && is_run(argc, argv);
    if (!shares && team.rank() > 0) return {};
    return cli::run(lab::lab_program(shares ? &team : nullptr), argc, argv);
}

/// Nobody leaves before the last one: rank 0 answers as long as somebody may ask.
cli::Outcome wait_for_all(MpiTeam& team) {
    try {
        team.wait_for_all();
        return {};
    } catch (const cli::Interrupted&) {
        return {cli::interrupted, "sprig-lab: stopped"};
    }
}

/// One that fails ends all. What goes wrong for all of them is said once, by rank 0: the others give it time.
[[noreturn]] void fail(const cli::Outcome& outcome, MpiTeam& team) {
    if (team.rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    cli::say(outcome.message);
    team.end_all(outcome.code);
}

void run_as_team(int argc, char** argv) {
    MpiTeam team(cli::stop_if_interrupted);
    cli::Outcome outcome = run(argc, argv, team);
    if (outcome.code == cli::done) outcome = wait_for_all(team);
    if (outcome.code != cli::done) fail(outcome, team);
}

} // namespace
} // namespace sprig::mpi

int main(int argc, char** argv) {
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    if (threads < MPI_THREAD_SERIALIZED) {
        sprig::cli::say("sprig-lab: this MPI cannot be used by threads; another one is needed");
        MPI_Abort(MPI_COMM_WORLD, sprig::cli::work_failed);
    }
    sprig::mpi::run_as_team(argc, argv);
    MPI_Finalize();
    return sprig::cli::done;
}
