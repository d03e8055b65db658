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

/// What a piece of work hangs on, beside its seed. Two pieces of equal works and seeds are equal.
struct Work {
    std::string name;            ///< a folder is called so
    nlohmann::ordered_json what; ///< parameters, version of the method, protocol, data
};

/// Finished pieces of work in a folder: what was computed once is not computed again, unless something that
/// it hangs on has changed. May be used by several threads and processes at once, each for pieces of its own.
class KeptPieces {
  public:
    /// Without a folder nothing is kept.
    explicit KeptPieces(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

    /// What a piece gave, if it is there, whole and of the same work. A damaged file counts as none: what it
    /// held can be computed.
    [[nodiscard]] std::optional<nlohmann::ordered_json> find(const Work& work, std::uint64_t seed) const;
    /// From now on it is there, in the place of what was. Throws Error(failed) if it cannot be written.
    void keep(const Work& work, std::uint64_t seed, const nlohmann::ordered_json& gave) const;

    [[nodiscard]] std::filesystem::path file(const Work& work, std::uint64_t seed) const;

  private:
    std::filesystem::path folder_;
};

/// Work that one thread does on its own, and whose result is worth keeping.
struct Piece {
    Work work;
    std::uint64_t seed = 0;
    double seconds = 1;    ///< about how long it takes
    std::size_t ticks = 1; ///< how often it ticks
    std::function<nlohmann::ordered_json(const Tick& tick)> compute;
};

/// What all of them gave, in their order. What the context keeps is not computed again; what is missing is
/// shared by its threads and its team, and kept as soon as it is finished. All members of a team must come
/// here with the same pieces. `title` is for the progress. Throws std::logic_error if two pieces are kept in
/// one place.
[[nodiscard]] std::vector<nlohmann::ordered_json>
compute_pieces(const StudyContext& context, const std::vector<Piece>& pieces, const std::string& title);

} // namespace sprig::lab
