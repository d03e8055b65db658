#include "lab/mpi/mpi_process_group.h"

#include <cstdlib>

#include <mpi.h>

namespace sprig::mpi {

namespace {

constexpr int request_tag = 1;
constexpr int response_tag = 2;
constexpr auto poll_interval = std::chrono::milliseconds(2);

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

MpiProcessGroup::MpiProcessGroup(std::function<void()> while_waiting)
    : while_waiting_(std::move(while_waiting)), rank_(static_cast<std::size_t>(own_rank())),
      size_(static_cast<std::size_t>(number_of_ranks())) {
    if (rank_ == 0) server_ = std::jthread([this](const std::stop_token& stop) { serve_until(stop); });
}

std::size_t MpiProcessGroup::next() {
    return rank_ == 0 ? next_count(round_) : request_index();
}

void MpiProcessGroup::wait_for_all() {
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

void MpiProcessGroup::end_all(int code) {
    const std::lock_guard lock(mpi_);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

std::uint64_t MpiProcessGroup::next_count(std::uint64_t round) {
    const std::lock_guard lock(counter_);
    if (counts_.size() <= round) counts_.resize(round + 1);
    return counts_[round]++;
}

std::uint64_t MpiProcessGroup::request_index() {
    const std::lock_guard one_request(request_);
    {
        const std::lock_guard lock(mpi_);
        MPI_Send(&round_, 1, MPI_UINT64_T, 0, request_tag, MPI_COMM_WORLD); // a short message does not block
    }
    std::uint64_t response = 0;
    wait_until([&] {
        int has_message = 0;
        MPI_Iprobe(0, response_tag, MPI_COMM_WORLD, &has_message, MPI_STATUS_IGNORE);
        if (has_message != 0)
            MPI_Recv(&response, 1, MPI_UINT64_T, 0, response_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return has_message != 0;
    });
    return response;
}

void MpiProcessGroup::serve_until(const std::stop_token& stop) {
    while (!stop.stop_requested())
        if (!serve_one()) std::this_thread::sleep_for(poll_interval);
}

bool MpiProcessGroup::serve_one() {
    const std::lock_guard lock(mpi_);
    int has_message = 0;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, request_tag, MPI_COMM_WORLD, &has_message, &from);
    if (has_message == 0) return false;
    std::uint64_t round = 0;
    MPI_Recv(&round, 1, MPI_UINT64_T, from.MPI_SOURCE, request_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const std::uint64_t number = next_count(round);
    MPI_Send(&number, 1, MPI_UINT64_T, from.MPI_SOURCE, response_tag, MPI_COMM_WORLD);
    return true;
}

void MpiProcessGroup::wait_until(const std::function<bool()>& is_done) {
    while (true) {
        {
            const std::lock_guard lock(mpi_);
            if (is_done()) return;
        }
        while_waiting_();
        std::this_thread::sleep_for(poll_interval);
    }
}

} // namespace sprig::mpi
