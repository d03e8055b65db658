#include <algorithm>

#include "constellation/model_reader.h"

// Decisions of a model with many units. The units with the most similar sketches are looked at first. Then
// most of the others are excluded by their summaries, and most of the rest by the positions of their nodes.

namespace sprig::constellation {

namespace {

/// Units in poses beyond which summaries pay.
constexpr std::size_t worth_summarising = 512;
/// The number of units that are looked at first. The best is nearly always among them.
constexpr std::size_t lead = 4;

} // namespace

bool ModelReader::has_many_units() const {
    return snapshot_->units * observed_.poses() > worth_summarising;
}

void ModelReader::summarise_observation() {
    summaries_.resize(observed_.poses());
    sketches_.resize(observed_.poses());
    for (std::size_t pose = 0; pose < observed_.poses(); ++pose) {
        summaries_[pose].assign(observed_.ranks(pose), context().least_surprise);
        sketches_[pose].assign(observed_.features(pose));
    }
    packed_bound_pose_ = observed_.poses(); // none
}

void ModelReader::measure_distances() {
    const std::size_t length = Sketch::length(context().types);
    nearest_.clear();
    nearest_.reserve(snapshot_->units * sketches_.size());
    for (std::uint32_t block = 0; block < snapshot_->blocks.size(); ++block) {
        const SummaryTable& table = snapshot_->blocks[block]->summaries(context());
        const Bytes* sketch = table.sketches.data();
        for (std::uint32_t row = 0; row < table.rows.size(); ++row, sketch += length)
            for (std::uint32_t pose = 0; pose < sketches_.size(); ++pose)
                nearest_.push_back({sketches_[pose].distance(sketch), {block, row, pose}});
    }
}

/// Leaves the nearest units, the nearest first.
void ModelReader::keep_nearest(std::size_t count) {
    if (nearest_.size() > count) {
        std::nth_element(nearest_.begin(), nearest_.begin() + static_cast<std::ptrdiff_t>(count),
                         nearest_.end());
        nearest_.resize(count);
    }
    std::sort(nearest_.begin(), nearest_.end());
}

/// Computes closer bounds of a unit, to minus infinity if one is below the known floor.
void ModelReader::tighten(BoundedUnit& next) {
    const SnapshotClass& known = (*snapshot_)[next.label];
    const LearnedUnit& unit = *known.units[next.unit];
    const double offset = known.log_shares[next.unit] + known.log_size;
    const double floor = highest_ - offset;
    if (!unit.is_packed() || !packed_bound_.is_possible() || !unit.packed()->is_near() ||
        !summaries_[next.pose].is_usable() || !unit.summary(context()).is_usable()) {
        const ScreenedPair pair = screened(unpacker_(unit), next.pose);
        next.bound = std::min(next.bound, offset + screened_bound(pair, ranked_bound(pair), floor));
        return;
    }
    if (packed_bound_pose_ != next.pose) {
        packed_bound_.assign(observed_.features(next.pose), summaries_[next.pose]);
        packed_bound_pose_ = next.pose;
    }
    const double bound = packed_bound_.by_features(*unit.packed(), unit.summary(context()), floor);
    next.bound = std::min(next.bound, offset + bound);
}

/// The score of a greedy assignment is a lower bound of the score of a unit, and thus of its class.
void ModelReader::raise_floor(const BoundedUnit& promising) {
    const SnapshotClass& known = (*snapshot_)[promising.label];
    const double score = greedy_scorer_.score(unpacker_(*known.units[promising.unit]).predictive,
                                              observed_.features(promising.pose));
    highest_ = std::max(highest_, score + known.log_shares[promising.unit] - log_poses() - rounding_margin);
}

ModelReader::BoundedUnit ModelReader::bounded(const SummaryTable& table, const UnitPlace& place) const {
    const SummaryTable::Row& row = table.rows[place.row];
    const ObservationSummary& seen = summaries_[place.pose];
    const std::size_t width = 3 * UnitSummary::blocks(context().types);
    const double gain =
        seen.is_usable() ? seen.greatest_gain(table.values.data() + (place.row * width)) : -minus_infinity;
    const std::size_t label = (place.block * Snapshot::block_size) + row.place;
    return {row.offset + gain, static_cast<std::uint32_t>(label), row.unit, place.pose};
}

void ModelReader::look_at(BoundedUnit unit) {
    if (unit.bound < highest_) return;
    tighten(unit);
    if (unit.bound < highest_) return;
    if (unit.bound > most_promising_) {
        most_promising_ = unit.bound;
        raise_floor(unit);
    }
    candidates_.push_back(unit);
}

void ModelReader::look_at_nearest() {
    for (const auto& [distance, place] : nearest_)
        look_at(bounded(snapshot_->blocks[place.block]->summaries(context()), place));
}

void ModelReader::look_at_others() {
    const auto is_done = [&](const UnitPlace& place) {
        return std::ranges::any_of(nearest_, [&](const NearUnit& unit) { return unit.place == place; });
    };
    for (std::uint32_t block = 0; block < snapshot_->blocks.size(); ++block) {
        const SummaryTable& table = snapshot_->blocks[block]->summaries(context());
        for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
            for (std::uint32_t pose = 0; pose < summaries_.size(); ++pose) {
                const BoundedUnit unit = bounded(table, {block, row, pose});
                if (unit.bound >= highest_ && !is_done({block, row, pose})) look_at(unit);
            }
        }
    }
}

/// Scores the classes of the nearest units. The others have no score.
void ModelReader::score_nearest() {
    summarise_observation();
    measure_distances();
    keep_nearest(budget_);
    prediction_.scores.assign(classes().size(), minus_infinity);
    best_units_.assign(classes().size(), 0);
    for (std::size_t block = 0; block < snapshot_->blocks.size(); ++block)
        for (const std::uint32_t place : snapshot_->blocks[block]->without_units)
            prediction_.scores[(block * Snapshot::block_size) + place] = 0;
    for (const auto& [distance, place] : nearest_) {
        const SummaryTable& table = snapshot_->blocks[place.block]->summaries(context());
        const std::size_t label = (place.block * Snapshot::block_size) + table.rows[place.row].place;
        if (prediction_.scores[label] != minus_infinity) continue;
        prediction_.scores[label] = score_class(label);
        prediction_.work.reached += (*snapshot_)[label].units.size();
        best_units_[label] = best_unit_;
    }
}

void ModelReader::find_among_many() {
    most_promising_ = minus_infinity;
    summarise_observation();
    measure_distances();
    keep_nearest(budget_ > 0 ? budget_ : lead);
    look_at_nearest();
    if (budget_ == 0) look_at_others();
}

} // namespace sprig::constellation
