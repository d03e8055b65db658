#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "match/pattern.h"
#include "sprig/work_counts.h"

namespace sprig::match {

/// What makes the search fast. Nothing here changes an answer, which a test proves by switching each off.
struct SearchOptions {
    bool signatures = true;         ///< leave out observed nodes that lack a kind of neighbour
    bool look_ahead = true;         ///< a placed node narrows down where its neighbours may lie
    bool smallest_first = true;     ///< the node with the fewest places left comes next
    bool bound = true;              ///< leave what can no longer be the best
    std::uint64_t budget = 100'000; ///< placements tried before a search gives up
};

/// Decides exactly whether the whole pattern can be placed (one-to-one, types equal, every edge there), and
/// finds the placement with the least sum of squared displacement errors; a node without an edge counts its
/// squared position error. Of equal ones the first in canonical order is taken. A search that runs out of
/// its budget says so in `work.gave_up` and answers with the best that it has seen.
class FullSearch {
  public:
    explicit FullSearch(const SearchOptions& options = {});
    ~FullSearch();
    FullSearch(FullSearch&&) noexcept;
    FullSearch& operator=(FullSearch&&) noexcept;
    FullSearch(const FullSearch&) = delete;
    FullSearch& operator=(const FullSearch&) = delete;

    /// Whether there is a placement; `placed` then gets one observed node for each own node of the pattern.
    bool operator()(const Query& query, std::vector<std::uint32_t>& placed, WorkCounts& work);

  private:
    struct Memory;
    SearchOptions options_;
    std::unique_ptr<Memory> memory_;
};

/// The sum that a full placement is judged by, in the pattern's own order.
[[nodiscard]] double placement_cost(const Query& query, std::span<const std::uint32_t> placed);

} // namespace sprig::match
