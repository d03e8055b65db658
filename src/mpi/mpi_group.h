#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/process_group.h"
#include "cli/program.h"

namespace sprig::mpi {

/// The processes that mpirun or srun has started. They poll and sleep while they wait: blocking calls of MPI
/// would keep a core busy.
class MpiGroup : public cli::ProcessGroup {
  public:
    /// MPI must be initialised. `while_waiting` is called repeatedly during waits, and may throw to stop.
    /// Messages are sent in pieces of at most this number of bytes.
    static constexpr std::size_t default_piece = std::size_t{1} << 30U;
    explicit MpiGroup(std::function<void()> while_waiting, std::size_t piece = default_piece);

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }
    [[nodiscard]] std::vector<std::string> exchange(std::vector<std::string> messages) override;

    /// Ends all processes of the group; mpirun returns this exit code.
    [[noreturn]] static void end_all(int code);

  private:
    void wait_until(const std::function<bool()>& is_done) const;

    std::function<void()> while_waiting_;
    std::size_t piece_;
    std::size_t rank_;
    std::size_t size_;
};

/// For `main`: works as a group. An outcome with a message ends all processes; it is printed once. Returns
/// the exit code.
[[nodiscard]] int run_as_group(int& argc, char**& argv,
                               const std::function<cli::Outcome(cli::ProcessGroup&)>& work);

} // namespace sprig::mpi
