#include "lab/mpi/mpi_team.h"

#include <cstdlib>

#include <mpi.h>

namespace sprig::mpi {

namespace {

constexpr int question_tag = 1;
constexpr int answer_tag = 2;
constexpr auto nap = std::chrono::milliseconds(2);

int own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int number_of_ranks() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

} // namespace

MpiTeam::MpiTeam(std::function<void()> while_waiting)
    : while_waiting_(std::move(while_waiting)), rank_(static_cast<std::size_t>(own_rank())),
      size_(static_cast<std::size_t>(number_of_ranks())) {
    if (rank_ == 0) clerk_ = std::jthread([this](const std::stop_token& stop) { answer_until(stop); });
}

std::size_t MpiTeam::next() {
    return rank_ == 0 ? count(round_) : ask_first();
}

void MpiTeam::wait_for_all() {
    MPI_Request request = MPI_REQUEST_NULL;
    {
        const std::lock_guard lock(mpi_);
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    }
    wait_until([&] {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    ++round_;
}

void MpiTeam::end_all(int code) {
    const std::lock_guard lock(mpi_);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

std::uint64_t MpiTeam::count(std::uint64_t round) {
    const std::lock_guard lock(counting_);
    if (given_.size() <= round) given_.resize(round + 1);
    return given_[round]++;
}

std::uint64_t MpiTeam::ask_first() {
    const std::lock_guard one_question(asking_);
    {
        const std::lock_guard lock(mpi_);
        MPI_Send(&round_, 1, MPI_UINT64_T, 0, question_tag, MPI_COMM_WORLD); // so short that it need not wait
    }
    std::uint64_t answer = 0;
    wait_until([&] {
        int is_there = 0;
        MPI_Iprobe(0, answer_tag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        if (is_there != 0)
            MPI_Recv(&answer, 1, MPI_UINT64_T, 0, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return is_there != 0;
    });
    return answer;
}

void MpiTeam::answer_until(const std::stop_token& stop) {
    while (!stop.stop_requested())
        if (!answer_one()) std::this_thread::sleep_for(nap);
}

bool MpiTeam::answer_one() {
    const std::lock_guard lock(mpi_);
    int is_there = 0;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, question_tag, MPI_COMM_WORLD, &is_there, &from);
    if (is_there == 0) return false;
    std::uint64_t round = 0;
    MPI_Recv(&round, 1, MPI_UINT64_T, from.MPI_SOURCE, question_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const std::uint64_t number = count(round);
    MPI_Send(&number, 1, MPI_UINT64_T, from.MPI_SOURCE, answer_tag, MPI_COMM_WORLD);
    return true;
}

void MpiTeam::wait_until(const std::function<bool()>& is_done) {
    while (true) {
        {
            const std::lock_guard lock(mpi_);
            if (is_done()) return;
        }
        while_waiting_();
        std::this_thread::sleep_for(nap);
    }
}

} // namespace sprig::mpi
