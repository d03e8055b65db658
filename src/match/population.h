#pragma once

#include <cstdint>
#include <vector>

#include "match/partial_search.h"
#include "match/pattern.h"
#include "sprig/work_counts.h"

namespace sprig::match {

struct PopulationOptions {
    /// Correspondences kept at a time, and how many seeds there are to begin with.
    std::size_t size = 12;
    /// How far off a displacement may be until it is admitted only every e-th time, px: strict to lenient.
    std::vector<double> tolerances = {1, 2, 4, 8, 16, 32};
    /// Go on from the nearest unplaced node when no edge leads any further, as `PartialSearch` does.
    bool seed_again = true;
};

/// The paper's way to find part of a pattern, in place of `PartialSearch`: a population of correspondences,
/// each grown from a seed along the pattern's edges. What is admitted is drawn, the likelier the better it
/// agrees; where two nodes are admitted to one place, both ways are followed. All draws belong to the key.
class PopulationSearch {
  public:
    explicit PopulationSearch(PopulationOptions options = {});

    const PartialMatch& operator()(const Query& query, WorkCounts& work, std::uint64_t key);

  private:
    struct Member {
        std::uint64_t lineage = 0; ///< whose draws these are: forks make their own
        PartialMatch match;
    };
    /// Placing a node, and how far its displacements to placed neighbours are off on average.
    struct Extension {
        std::uint32_t node = 0;
        std::uint32_t at = 0;
        double error = 0;
    };

    void seed(const Query& query, std::uint64_t key);
    void sweep(const Query& query);
    bool grow_all(const Query& query, std::size_t tolerance);
    bool grow(const Query& query, const Member& member, std::size_t tolerance);
    void list_admitted(const Query& query, const Member& member, std::size_t tolerance);
    [[nodiscard]] bool is_admitted(const Member& member, const Extension& extension,
                                   std::size_t tolerance) const;
    Member& add_grown(const Query& query, const Member& parent, const Extension* first);
    bool seed_again(const Query& query);
    void keep_the_best();

    PopulationOptions options_;
    std::vector<Member> members_;
    std::vector<Member> grown_; ///< what a round makes of them
    std::vector<Extension> admitted_;
};

} // namespace sprig::match
