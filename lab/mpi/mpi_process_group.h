#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "lab/protocol/work_items.h"

namespace sprig::mpi {

/// The processes that mpirun or srun has started. Rank 0 has the counter and a thread that serves it to the
/// others. All messages are small. Processes poll and sleep while they wait: blocking calls of MPI would keep
/// a core busy.
class MpiProcessGroup : public lab::ProcessGroup {
  public:
    /// MPI must be initialised with MPI_THREAD_SERIALIZED or more. `while_waiting` is called repeatedly
    /// during waits, and may throw to stop.
    explicit MpiProcessGroup(std::function<void()> while_waiting);

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }
    [[nodiscard]] std::size_t next() override;
    void wait_for_all() override;

    /// Ends all processes of the group; mpirun returns this exit code.
    [[noreturn]] void end_all(int code);

  private:
    /// Increments the counter of a round; a round ends with wait_for_all().
    [[nodiscard]] std::uint64_t next_count(std::uint64_t round);
    [[nodiscard]] std::uint64_t request_index();
    void serve_until(const std::stop_token& stop);
    [[nodiscard]] bool serve_one();
    void wait_until(const std::function<bool()>& is_done);

    std::function<void()> while_waiting_;
    std::size_t rank_ = 0;
    std::size_t size_ = 1;
    std::mutex mpi_;     ///< MPI is used by one thread at a time
    std::mutex request_; ///< a process has one request at a time
    std::mutex counter_;
    std::vector<std::uint64_t> counts_; ///< of rank 0, by round
    std::uint64_t round_ = 0;
    std::jthread server_; ///< of rank 0; declared last, so that it ends before the members that it uses
};

} // namespace sprig::mpi
