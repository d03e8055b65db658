#pragma once

#include <cstdint>

namespace sprig {

/// Counts of the search work done.
struct WorkCounts {
    std::uint64_t reached = 0;  ///< units searched for or scored
    std::uint64_t skipped = 0;  ///< units skipped because their target was absent
    std::uint64_t searches = 0; ///< exact searches for a complete pattern
    std::uint64_t visited = 0;  ///< placements of single nodes tried in them
    std::uint64_t partial = 0;  ///< greedy searches for part of a pattern
    std::uint64_t gave_up = 0;  ///< exact searches that exceeded their budget

    WorkCounts& operator+=(const WorkCounts& other) {
        reached += other.reached;
        skipped += other.skipped;
        searches += other.searches;
        visited += other.visited;
        partial += other.partial;
        gave_up += other.gave_up;
        return *this;
    }
    bool operator==(const WorkCounts&) const = default;
};

} // namespace sprig
