#pragma once

#include <cstdint>

namespace sprig {

/// How much searching something took.
struct WorkCounts {
    std::uint64_t reached = 0;  ///< units that were looked for
    std::uint64_t skipped = 0;  ///< units that could not be there, since their target was not
    std::uint64_t searches = 0; ///< exact searches for a whole pattern
    std::uint64_t visited = 0;  ///< placements of one node tried in them
    std::uint64_t partial = 0;  ///< greedy searches for a part of a pattern
    std::uint64_t gave_up = 0;  ///< exact searches that ran out of their budget

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
