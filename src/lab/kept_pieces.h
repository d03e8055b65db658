#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace sprig::lab {

/// What a piece of work hangs on, beside its seed. Two pieces of equal works and seeds are equal.
struct Work {
    std::string name;            ///< a folder is called so
    nlohmann::ordered_json what; ///< parameters, version of the method, protocol, data
};

/// Whether what a file holds can be what a piece of work gave.
using IsSound = std::function<bool(const nlohmann::ordered_json&)>;

/// Finished pieces of work in a folder: what was computed once is not computed again, unless something that
/// it hangs on has changed. May be used by several threads and processes at once, each for pieces of its own.
class KeptPieces {
  public:
    /// Without a folder nothing is kept.
    explicit KeptPieces(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    /// What a piece gave, if it is there, whole and of the same work. A file that cannot be read counts as
    /// none: what it held can be computed.
    [[nodiscard]] std::optional<nlohmann::ordered_json> find(const Work& work, std::uint64_t seed,
                                                             const IsSound& is_sound) const;
    /// From now on it is there, in the place of what was. Throws Error(failed) if it cannot be written.
    void keep(const Work& work, std::uint64_t seed, const nlohmann::ordered_json& gave) const;

    [[nodiscard]] std::filesystem::path file(const Work& work, std::uint64_t seed) const;

  private:
    std::filesystem::path folder_;
};

} // namespace sprig::lab
