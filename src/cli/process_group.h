#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sprig::learner {
class Packer;
class Unpacker;
} // namespace sprig::learner

namespace sprig::cli {

/// Several processes that work on one task, such as those that mpirun starts. All call `exchange` in the same
/// order. If one of them ends with an error, all are ended.
class ProcessGroup {
  public:
    ProcessGroup() = default;
    virtual ~ProcessGroup() = default;
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;
    ProcessGroup(ProcessGroup&&) = delete;
    ProcessGroup& operator=(ProcessGroup&&) = delete;

    [[nodiscard]] virtual std::size_t rank() const = 0; ///< the number of this process, from 0
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// Sends a message to each process, by rank, and returns those that arrive, by sender. Waits for all.
    [[nodiscard]] virtual std::vector<std::string> exchange(std::vector<std::string> messages) = 0;

    /// Sends the same message to all.
    [[nodiscard]] std::vector<std::string> tell_all(const std::string& message) {
        return exchange(std::vector<std::string>(size(), message));
    }
    /// Sends a message to the first process. The others receive empty messages.
    [[nodiscard]] std::vector<std::string> tell_first(std::string message) {
        std::vector<std::string> messages(size());
        messages.front() = std::move(message);
        return exchange(std::move(messages));
    }
    void wait_for_all() { (void)exchange(std::vector<std::string>(size())); }
};

/// The sum of a number over all processes.
[[nodiscard]] std::size_t sum_over(ProcessGroup& group, std::size_t number);

/// Any floating-point number, also one that is not finite.
void pack_real(learner::Packer& packer, double value);
[[nodiscard]] double unpack_real(learner::Unpacker& unpacker);

} // namespace sprig::cli
