#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/protocol/context.h"
#include "lab/protocol/parallel.h"

namespace sprig::lab {

/// Several processes, possibly on several machines, that run the same studies and share their work items.
/// They share a folder of finished items and a counter.
class ProcessGroup {
  public:
    ProcessGroup() = default;
    virtual ~ProcessGroup() = default;
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;
    ProcessGroup(ProcessGroup&&) = delete;
    ProcessGroup& operator=(ProcessGroup&&) = delete;

    [[nodiscard]] virtual std::size_t rank() const = 0; ///< this process, from 0
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// Increments the counter of the group and returns its previous value.
    [[nodiscard]] virtual std::size_t next() = 0;
    /// A barrier: returns when all processes have called it. Resets the counter to 0.
    virtual void wait_for_all() = 0;
    /// The maximum time until a file that another machine has written is visible on this one. File systems of
    /// clusters cache the absence of a file for a while.
    [[nodiscard]] virtual std::chrono::milliseconds visibility_timeout() const {
        return std::chrono::seconds(90);
    }
};

/// Checks that all processes see the same folder, which must exist. All processes must call it. Throws
/// Error(failed) in a process that does not see the file that rank 0 writes.
void check_folder_is_shared(ProcessGroup& group, const std::filesystem::path& folder);

/// Identifies a result, together with a seed.
struct CacheKey {
    std::string name;              ///< also the name of a folder
    nlohmann::ordered_json inputs; ///< parameters, version of the method, protocol, data
};

/// Results of finished work items in a folder. A result is valid as long as its inputs are the same. May be
/// used by several threads and processes at once if each stores other items.
class ResultCache {
  public:
    /// Without a folder nothing is stored.
    explicit ResultCache(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    /// The stored result, if its inputs are the same. A damaged file is ignored.
    [[nodiscard]] std::optional<nlohmann::ordered_json> find(const CacheKey& key, std::uint64_t seed) const;
    /// Replaces the stored result. Throws Error(failed) if it cannot be written.
    void store(const CacheKey& key, std::uint64_t seed, const nlohmann::ordered_json& result) const;

    [[nodiscard]] std::filesystem::path file(const CacheKey& key, std::uint64_t seed) const;

  private:
    std::filesystem::path folder_;
};

/// Work of one thread whose result is cached.
struct WorkItem {
    CacheKey key;
    std::uint64_t seed = 0;
    double seconds = 1; ///< estimate
    std::size_t ticks = 1;
    std::function<nlohmann::ordered_json(const Tick& tick)> compute;
};

/// Returns the results of all items, in their order. Items that are not in the cache are computed by the
/// threads and processes of the context, and stored as soon as they are finished. All processes of a group
/// must call it with the same items. `title` is for the progress; `prepare` is called if an item is missing.
/// Throws std::logic_error if two items have the same name and seed.
[[nodiscard]] std::vector<nlohmann::ordered_json> compute_items(const StudyContext& context,
                                                                const std::vector<WorkItem>& items,
                                                                const std::string& title,
                                                                const std::function<void()>& prepare = {});

} // namespace sprig::lab
