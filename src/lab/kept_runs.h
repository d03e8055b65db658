#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "lab/protocol.h"

namespace sprig::lab {

/// What a run hangs on, beside its seed. Two runs of equal works are equal.
struct Work {
    std::string name;            ///< a folder is called so
    nlohmann::ordered_json what; ///< parameters, version of the method, protocol, data
};

/// Finished runs in a folder: what was computed once is not computed again, unless something that it hangs on
/// has changed. May be used by several threads at once, each for runs of its own.
class KeptRuns {
  public:
    /// Without a folder nothing is kept.
    explicit KeptRuns(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    /// Whether a run is there, whole and of the same work.
    [[nodiscard]] bool has(const Work& work, std::uint64_t seed) const;

    /// The run that is there; else that of `compute`, which is there then. A file that cannot be read counts
    /// as none: what it held can be computed.
    [[nodiscard]] SeedRun get(const Work& work, std::uint64_t seed,
                              const std::function<SeedRun()>& compute) const;

  private:
    [[nodiscard]] std::filesystem::path file(const Work& work, std::uint64_t seed) const;
    [[nodiscard]] std::optional<SeedRun> find(const Work& work, std::uint64_t seed) const;

    std::filesystem::path folder_;
};

} // namespace sprig::lab
