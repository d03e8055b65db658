#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>

namespace sprig::lab {

/// Several processes, perhaps on several machines, that run the same studies and share their pieces of work.
/// What they share beside the numbers here is a folder of finished pieces.
class Team {
  public:
    Team() = default;
    virtual ~Team() = default;
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    Team(Team&&) = delete;
    Team& operator=(Team&&) = delete;

    [[nodiscard]] virtual std::size_t rank() const = 0; ///< this process, from 0
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// 0, then 1, then 2 ...: every number is given once, to one thread of one process.
    [[nodiscard]] virtual std::size_t next() = 0;
    /// Comes back when all processes are here; then numbers begin at 0 again.
    virtual void wait_for_all() = 0;
    /// How long a file that another machine has written may take to be seen on this one. File systems of
    /// clusters remember for a while that there was none.
    [[nodiscard]] virtual std::chrono::milliseconds patience() const { return std::chrono::seconds(90); }
};

/// Sees to it before the work that all members have the same folder before them, which must be there. All
/// must come here. Throws Error(failed) in a member that does not see what the first one writes.
void check_is_shared(Team& team, const std::filesystem::path& folder);

} // namespace sprig::lab
