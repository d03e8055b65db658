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

/// Observations that lost a unit which they had satisfied and which is still there, by what the learning
/// step did to that unit or to its downstream chain.
struct BrokenCounts {
    std::uint64_t by_reintegration = 0; ///< something was merged into it: more is asked for
    std::uint64_t by_refinement = 0;    ///< it gave something up, and nothing was merged into it
    std::uint64_t by_movement = 0;      ///< its structure is as it was: running means moved its placement

    [[nodiscard]] std::uint64_t total() const { return by_reintegration + by_refinement + by_movement; }
    bool operator==(const BrokenCounts&) const = default;
};

struct AuditCounts {
    std::uint64_t steps = 0;
    /// Pairs of an observation and a unit that it had satisfied before a step and that is still there.
    std::uint64_t checked_top_level = 0;
    std::uint64_t checked_chains = 0;
    BrokenCounts top_level; ///< units that condition their class: the guarantee is about these
    BrokenCounts chains;    ///< units above them, which lie where their downstream lets them

    bool operator==(const AuditCounts&) const = default;
};

/// Follows a learner and looks after every step which units earlier observations no longer satisfy. It keeps
/// every observation for this purpose, which the learner itself never does, and knows the learner only by
/// what anybody can see of it. An observation that lost a unit and satisfies it again later can lose it
/// again.
class Audit {
  public:
    /// Makes the reader that presence is judged by; with several audits of one learner, each its own.
    using MakeReader = std::function<std::unique_ptr<Reader>(const Learner&)>;

    /// Without `make_reader` it is the learner's own reader.
    explicit Audit(MakeReader make_reader = {});

    /// To be told of every step, just after it: what was learned, and what the learner said of it.
    void after(const Network& network, const LearnReport& report, const Learner& learner);

    [[nodiscard]] const AuditCounts& counts() const { return counts_; }

  private:
    struct Observation {
        Network network;
        std::vector<Lineage> satisfied; ///< in ascending order
    };
    /// What is known of a unit after a step.
    struct Known {
        std::optional<Lineage> target;
        bool grew = false;   ///< it, or somebody in its downstream chain, took in another unit
        bool shrank = false; ///< likewise: gave something up
    };

    void look_at_units(const LearnReport& report, const Learner& learner);
    void compare(const Observation& before, const std::vector<Lineage>& now);
    void count_broken(Lineage unit);

    MakeReader make_reader_;
    std::vector<Observation> observations_;
    std::unordered_map<Lineage, Known> units_;
    AuditCounts counts_;
};

} // namespace sprig::lab
