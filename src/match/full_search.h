#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "match/pattern.h"
#include "sprig/work_counts.h"

namespace sprig::match {

/// Optimisations of the search. Except for the budget they do not change the result: a test switches off
/// each.
struct SearchOptions {
    bool signatures = true;         ///< skip observed nodes that lack a kind of neighbour
    bool look_ahead = true;         ///< placing a node restricts the domains of its neighbours
    bool smallest_first = true;     ///< branch on the node with the smallest domain
    bool bound = true;              ///< prune partial placements that cost more than the best one found
    std::uint64_t budget = 100'000; ///< maximum number of placements of single nodes tried
};

/// Exact search for a complete pattern. A placement is one-to-one, keeps the types and has every edge. The
/// search finds the placement with the smallest sum of squared displacement errors; a node without edges
/// contributes its squared position error. Ties go to the first placement in canonical order. A search that
/// exceeds its budget counts in `work.gave_up` and returns the best placement found so far.
class FullSearch {
  public:
    explicit FullSearch(const SearchOptions& options = {});
    ~FullSearch();
    FullSearch(FullSearch&&) noexcept;
    FullSearch& operator=(FullSearch&&) noexcept;
    FullSearch(const FullSearch&) = delete;
    FullSearch& operator=(const FullSearch&) = delete;

    /// Returns whether a placement was found; `placed` is then the observed node of each own node.
    bool operator()(const Query& query, std::vector<std::uint32_t>& placed, WorkCounts& work);

  private:
    struct Workspace;
    SearchOptions options_;
    std::unique_ptr<Workspace> workspace_;
};

/// The cost of a complete placement, summed in the order of the pattern.
[[nodiscard]] double placement_cost(const Query& query, std::span<const std::uint32_t> placed);

} // namespace sprig::match
