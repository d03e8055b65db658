#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "lab/protocol/pieces.h"

namespace sprig::mpi {

/// The processes that mpirun or srun started. Rank 0 has the counter, and a thread that answers whoever asks
/// for the next number, however busy rank 0 is. Only small messages go back and forth, and whoever waits
/// sleeps: MPI's own waiting would keep a core busy.
class MpiTeam : public lab::Team {
  public:
    /// MPI must have begun with MPI_THREAD_SERIALIZED or more. `while_waiting` is called now and then by who
    /// waits, and may throw to stop.
    explicit MpiTeam(std::function<void()> while_waiting);

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }
    [[nodiscard]] std::size_t next() override;
    void wait_for_all() override;

    /// Ends all processes of the team, and mpirun with this exit code.
    [[noreturn]] void end_all(int code);

  private:
    /// One at a time, by round: rounds end when all have waited for all.
    [[nodiscard]] std::uint64_t count(std::uint64_t round);
    [[nodiscard]] std::uint64_t ask_first();
    void answer_until(const std::stop_token& stop);
    [[nodiscard]] bool answer_one();
    void wait_until(const std::function<bool()>& is_done);

    std::function<void()> while_waiting_;
    std::size_t rank_ = 0;
    std::size_t size_ = 1;
    std::mutex mpi_;    ///< MPI is used by one thread at a time
    std::mutex asking_; ///< a process has one question at a time
    std::mutex counting_;
    std::vector<std::uint64_t> given_; ///< of rank 0: how many numbers, by round
    std::uint64_t round_ = 0;
    std::jthread clerk_; ///< of rank 0; last, so that it ends before what it uses
};

} // namespace sprig::mpi
