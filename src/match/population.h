#pragma once

#include <cstdint>
#include <vector>

#include "match/partial_search.h"
#include "match/pattern.h"
#include "sprig/work_counts.h"

namespace sprig::match {

struct PopulationOptions {
    /// Size of the population, and number of initial seeds.
    std::size_t size = 12;
    /// Errors at which the probability of admission is 1/e, in pixels, from strict to lenient.
    std::vector<double> tolerances = {1, 2, 4, 8, 16, 32};
    /// Continue from the nearest unplaced node when no edge leads further, as `PartialSearch` does.
    bool seed_again = true;
};

/// The paper's search for part of a pattern, an alternative to `PartialSearch`. It keeps a population of
/// partial placements, each grown from a seed along the edges of the pattern. An extension is admitted at
/// random, with a probability that falls with its error. If two nodes are admitted to the same observed node,
/// the placement is forked. All random draws depend only on the key.
class PopulationSearch {
  public:
    explicit PopulationSearch(PopulationOptions options = {});

    const PartialMatch& operator()(const Query& query, WorkCounts& work, std::uint64_t key);

  private:
    struct Member {
        std::uint64_t lineage = 0; ///< key of its random draws; each fork has its own
        PartialMatch match;
    };
    /// A placement of one more node.
    struct Extension {
        std::uint32_t node = 0;
        std::uint32_t at = 0;
        double error = 0; ///< mean displacement error to placed neighbours
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
    void select_best();

    PopulationOptions options_;
    std::vector<Member> members_;
    std::vector<Member> grown_; ///< candidates for the next population
    std::vector<Extension> admitted_;
};

} // namespace sprig::match
