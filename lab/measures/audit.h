#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sprig/learner.h"

namespace sprig::lab {

/// Observations that no longer satisfy a unit that still exists, by the change of that unit or of its
/// downstream chain in the learning step.
struct BrokenCounts {
    std::uint64_t by_reintegration = 0; ///< another unit was merged into it: it requires more
    std::uint64_t by_refinement = 0;    ///< it was refined, and nothing was merged into it
    std::uint64_t by_movement = 0;      ///< its structure is unchanged: running means moved

    [[nodiscard]] std::uint64_t total() const { return by_reintegration + by_refinement + by_movement; }
    bool operator==(const BrokenCounts&) const = default;
};

struct AuditCounts {
    std::uint64_t steps = 0;
    /// Pairs of an observation and a unit that it satisfied before a step and that still exists.
    std::uint64_t checked_top_level = 0;
    std::uint64_t checked_chains = 0;
    BrokenCounts top_level; ///< units that condition their class: the guarantee covers these
    BrokenCounts chains;    ///< units above them

    bool operator==(const AuditCounts&) const = default;
};

/// Checks after every learning step which units earlier observations no longer satisfy. It stores every
/// observation for this purpose (the learner does not) and uses only the public interface of the learner. An
/// observation that satisfies a unit again later can be counted again.
class Audit {
  public:
    /// Makes the reader that determines presence.
    using MakeReader = std::function<std::unique_ptr<Reader>(const Learner&)>;

    /// The default is the learner's own reader.
    explicit Audit(MakeReader make_reader = {});

    /// Must be called after every step, with the observation and the learner's report.
    void after(const Network& network, const LearnReport& report, const Learner& learner);

    [[nodiscard]] const AuditCounts& counts() const { return counts_; }

  private:
    struct Observation {
        Network network;
        std::vector<Lineage> satisfied; ///< in ascending order
    };
    /// The state of a unit after a step.
    struct Known {
        std::optional<Lineage> target;
        bool grew = false;   ///< a unit was merged into it or into its downstream chain
        bool shrank = false; ///< it or its downstream chain was refined
    };

    void update_units(const LearnReport& report, const Learner& learner);
    void compare(const Observation& before, const std::vector<Lineage>& now);
    void count_broken(Lineage unit);

    MakeReader make_reader_;
    std::vector<Observation> observations_;
    std::unordered_map<Lineage, Known> units_;
    AuditCounts counts_;
};

} // namespace sprig::lab
