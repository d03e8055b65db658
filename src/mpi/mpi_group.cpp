#include "mpi/mpi_group.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <utility>

#include <mpi.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"

namespace sprig::mpi {

namespace {

constexpr int tag = 1;

std::size_t own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return static_cast<std::size_t>(rank);
}

std::size_t number_of_ranks() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return static_cast<std::size_t>(size);
}

} // namespace

MpiGroup::MpiGroup(std::function<void()> while_waiting, std::size_t piece)
    : while_waiting_(std::move(while_waiting)), piece_(piece), rank_(own_rank()), size_(number_of_ranks()) {}

std::vector<std::string> MpiGroup::exchange(std::vector<std::string> messages) {
    std::vector<std::uint64_t> sending(size_);
    std::vector<std::uint64_t> receiving(size_);
    for (std::size_t i = 0; i < size_; ++i) sending[i] = messages[i].size();
    MPI_Request sizes = MPI_REQUEST_NULL;
    MPI_Ialltoall(sending.data(), 1, MPI_UINT64_T, receiving.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD, &sizes);
    wait_until([&] {
        int done = 0;
        MPI_Test(&sizes, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    std::vector<std::string> received(size_);
    // The counts of MPI are ints. Pieces of one message arrive in order.
    std::vector<MPI_Request> requests;
    const auto each_piece = [&](std::string& message, const auto& start) {
        for (std::size_t at = 0; at < message.size(); at += piece_) {
            const auto count = static_cast<int>(std::min(piece_, message.size() - at));
            start(message.data() + at, count, requests.emplace_back(MPI_REQUEST_NULL));
        }
    };
    for (std::size_t other = 0; other < size_; ++other) {
        if (other == rank_) continue;
        const auto peer = static_cast<int>(other);
        received[other].resize(receiving[other]);
        each_piece(received[other], [&](char* at, int count, MPI_Request& request) {
            MPI_Irecv(at, count, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request);
        });
        each_piece(messages[other], [&](char* at, int count, MPI_Request& request) {
            MPI_Isend(at, count, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request);
        });
    }
    wait_until([&] {
        int done = 0;
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
        return done != 0;
    });
    received[rank_] = std::move(messages[rank_]);
    return received;
}

void MpiGroup::end_all(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

/// Short waits are frequent, so that it sleeps longer and longer.
void MpiGroup::wait_until(const std::function<bool()>& is_done) const {
    constexpr std::chrono::microseconds longest(2000);
    std::chrono::microseconds pause(0);
    while (!is_done()) {
        while_waiting_();
        std::this_thread::sleep_for(pause);
        pause = std::min(longest, pause + std::chrono::microseconds(10));
    }
}

namespace {

/// A process that fails ends all. An error that all of them have is printed once, by rank 0: the others wait.
[[noreturn]] void fail(const cli::Outcome& outcome, const MpiGroup& group) {
    if (group.rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    cli::print_message(outcome.message);
    MpiGroup::end_all(outcome.code);
}

cli::Outcome wait_for_all(MpiGroup& group) {
    try {
        group.wait_for_all();
        return {};
    } catch (const cli::Interrupted&) {
        return {cli::interrupted, "sprig-mpi: stopped"};
    }
}

} // namespace

int run_as_group(int& argc, char**& argv, const std::function<cli::Outcome(cli::ProcessGroup&)>& work) {
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    cli::Outcome outcome;
    {
        MpiGroup group(cli::stop_if_interrupted);
        if (threads < MPI_THREAD_FUNNELED) {
            outcome = {cli::work_failed, "sprig-mpi: this MPI library does not support threads "
                                         "(MPI_THREAD_FUNNELED); install another one"};
        } else {
            outcome = work(group);
        }
        if (outcome.message.empty()) {
            if (const cli::Outcome waited = wait_for_all(group); waited.code != cli::done) outcome = waited;
        }
        if (!outcome.message.empty()) fail(outcome, group);
    }
    MPI_Finalize();
    return outcome.code;
}

} // namespace sprig::mpi
