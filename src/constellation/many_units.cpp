#include <algorithm>
#include <functional>

#include "constellation/model_reader.h"

// Decisions of a model with many units. Most of them are excluded by their summaries, most of the others by
// the positions of their nodes.

namespace sprig::constellation {

namespace {

/// Units in poses beyond which summaries pay.
constexpr std::size_t worth_summarising = 512;

// Stages of a unit: the bound that was computed last.
constexpr std::uint8_t by_summary = 0;
constexpr std::uint8_t by_place = 1;
constexpr std::uint8_t by_features = 2;

} // namespace

bool ModelReader::has_many_units() const {
    return snapshot_->units * observed_.poses() > worth_summarising;
}

/// Queues all units in all poses with their bounds, the highest first.
void ModelReader::queue_by_summaries() {
    summaries_.resize(observed_.poses());
    for (std::size_t pose = 0; pose < summaries_.size(); ++pose)
        summaries_[pose].assign(observed_.ranks(pose), context().least_surprise);
    const std::size_t width = 3 * UnitSummary::blocks(context().types);
    queue_.clear();
    queue_.reserve(snapshot_->units * summaries_.size());
    std::uint32_t first = 0; // class of the block
    for (const auto& block : snapshot_->blocks) {
        const SummaryTable& table = block->summaries(context());
        const Shorts* values = table.values.data();
        for (const SummaryTable::Row& row : table.rows) {
            for (std::uint32_t pose = 0; pose < summaries_.size(); ++pose) {
                const double gain =
                    summaries_[pose].is_usable() ? summaries_[pose].greatest_gain(values) : -minus_infinity;
                queue_.push_back({row.offset + gain, first + row.place, row.unit, pose});
            }
            values += width;
        }
        first += Snapshot::block_size;
    }
}

/// Computes the next closer bound of a unit: minus infinity if it is below the known floor.
void ModelReader::tighten(BoundedUnit& next) {
    const SnapshotClass& known = (*snapshot_)[next.label];
    const LearnedUnit& unit = *known.units[next.unit];
    const double offset = known.log_shares[next.unit] + known.log_size;
    const double floor = highest_ - offset;
    const bool is_packed = unit.is_packed() && packed_bound_.is_possible() && unit.packed()->is_near() &&
                           summaries_[next.pose].is_usable() && unit.summary(context()).is_usable();
    if (!is_packed) {
        const ScreenedPair pair = screened(unpacker_(unit), next.pose);
        next.bound = std::min(next.bound, offset + screened_bound(pair, ranked_bound(pair), floor));
        next.stage = by_features;
        return;
    }
    if (packed_bound_pose_ != next.pose) {
        packed_bound_.assign(observed_.features(next.pose), summaries_[next.pose]);
        packed_bound_pose_ = next.pose;
    }
    const PackedUnit& packed = *unit.packed();
    const UnitSummary& summary = unit.summary(context());
    const double bound = next.stage == by_summary ? packed_bound_.by_place(packed, summary)
                                                  : packed_bound_.by_features(packed, summary, floor);
    next.bound = std::min(next.bound, offset + bound);
    ++next.stage;
}

/// The score of a greedy assignment is a lower bound of the score of a unit, and thus of its class.
void ModelReader::raise_floor(const BoundedUnit& promising) {
    const SnapshotClass& known = (*snapshot_)[promising.label];
    const double score = greedy_scorer_.score(unpacker_(*known.units[promising.unit]).predictive,
                                              observed_.features(promising.pose));
    highest_ = std::max(highest_, score + known.log_shares[promising.unit] - log_poses() - rounding_margin);
}

/// Units are looked at in the order of their bounds. A unit whose bound was tightened is queued again.
void ModelReader::find_among_many() {
    packed_bound_pose_ = observed_.poses(); // none
    queue_by_summaries();
    std::make_heap(queue_.begin(), queue_.end());
    double most_promising = minus_infinity; // the highest of the closest bounds
    while (!queue_.empty() && queue_.front().bound >= highest_) {
        BoundedUnit next = next_in_queue();
        if (next.stage == by_features) {
            candidates_.push_back(next);
            continue;
        }
        tighten(next);
        if (next.bound < highest_) continue;
        if (next.stage == by_features && next.bound > most_promising) {
            most_promising = next.bound;
            raise_floor(next);
        }
        queue_.push_back(next);
        std::push_heap(queue_.begin(), queue_.end());
    }
}

} // namespace sprig::constellation
