#include "sprig/learner.h"

namespace sprig {

WorkCounts& WorkCounts::operator+=(const WorkCounts& other) {
    reached += other.reached;
    skipped += other.skipped;
    searches += other.searches;
    visited += other.visited;
    partial += other.partial;
    gave_up += other.gave_up;
    return *this;
}

LearnReport& LearnReport::operator+=(const LearnReport& other) {
    created += other.created;
    refined += other.refined;
    spawned += other.spawned;
    removed += other.removed;
    reintegrated += other.reintegrated;
    work += other.work;
    return *this;
}

} // namespace sprig
