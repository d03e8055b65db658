#include "constellation/model_reader.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <utility>

#include "constellation/mixture.h"
#include "core/elementary.h"
#include "core/quantise.h"
#include "learner/calibration.h"

namespace sprig::constellation {

namespace {

/// Units this far below the best one add at most 1.4e-11 each to the score.
constexpr double negligible = 25;
/// Poses this far below the best one do not change the last bit of their sum.
constexpr double lost_in_rounding = 45;

ConstellationParams with_greedy(ConstellationParams params) {
    params.assignment = ConstellationParams::Assignment::greedy;
    return params;
}

} // namespace

ModelReader::ModelReader(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)), required_schema_(snapshot_->schema),
      observed_(context().params, context().types), scorer_(context().params, context().set),
      unpacker_(context()), packed_bound_(context()),
      greedy_scorer_(with_greedy(context().params), context().set) {}

ModelReader::ModelReader(const ModelReader& other) : ModelReader(other.snapshot_) {
    budget_ = other.budget_;
}

std::unique_ptr<Reader> ModelReader::clone() const {
    return std::make_unique<ModelReader>(*this);
}

void ModelReader::set_observation(const Network& network) {
    required_schema_.check(network);
    observed_.assign(network);
}

/// The score of a unit. Minus infinity if it is known to be below `floor`.
double ModelReader::score_unit(const ReadyUnit& unit, double floor) {
    if (observed_.poses() > 1) return score_in_any_pose(unit, floor);
    const ObservationFeatures& observed = observed_.first();
    const double enough = floor - rounding_margin;
    const bool may_reach = floor == minus_infinity ||
                           ranked_bound(unit.predictive, unit.ranked_gains(), observed, enough) >= enough;
    return may_reach ? scorer_.score(unit.predictive, observed) : minus_infinity;
}

/// The score of a unit over all poses, which are equally likely. Poses that would not change its last bit are
/// left out.
double ModelReader::score_in_any_pose(const ReadyUnit& unit, double floor) {
    const std::size_t poses = observed_.poses();
    pose_bounds_.clear();
    for (std::size_t pose = 0; pose < poses; ++pose) {
        const double bound = ranked_bound(ranked(unit, pose));
        pose_bounds_.push_back(bound < floor ? minus_infinity
                                             : screened_bound(screened(unit, pose), bound, floor));
    }
    const auto first = std::ranges::max_element(pose_bounds_) - pose_bounds_.begin();
    if (pose_bounds_[static_cast<std::size_t>(first)] == minus_infinity) return minus_infinity;
    by_pose_.assign(poses, minus_infinity);
    double top = minus_infinity;
    const auto score = [&](std::size_t pose) {
        by_pose_[pose] = scorer_.score(unit.predictive, observed_.features(pose));
        top = std::max(top, by_pose_[pose]);
    };
    score(static_cast<std::size_t>(first));
    for (std::size_t pose = 0; pose < poses; ++pose) {
        if (by_pose_[pose] != minus_infinity) continue;
        const double least = top - lost_in_rounding;
        // Bounds below `floor` are not known: only that they are below it.
        const double bound = std::max(pose_bounds_[pose], floor);
        if (bound >= least && ranked_bound(ranked(unit, pose)) >= least) score(pose);
    }
    return log_sum_exp(by_pose_) - elementary::log(static_cast<double>(poses));
}

/// A class without units scores 0, the score of clutter. Units that would add less than a billionth are left
/// out of the mixture, so that they need not be scored completely.
double ModelReader::score_class(std::size_t label) {
    const SnapshotClass& known = (*snapshot_)[label];
    if (known.units.empty()) return 0;
    log_likelihoods_.clear();
    best_unit_ = 0;
    double top = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double floor = top - negligible - known.log_shares[i];
        const double log_likelihood = score_unit(unpacker_(*known.units[i]), floor);
        log_likelihoods_.push_back(log_likelihood + known.log_shares[i]);
        if (log_likelihoods_.back() <= top) continue;
        top = log_likelihoods_.back();
        best_unit_ = i;
    }
    for (double& log_likelihood : log_likelihoods_) {
        if (log_likelihood < top - negligible) log_likelihood = minus_infinity;
    }
    return quantise(log_sum_exp(log_likelihoods_));
}

void ModelReader::score_all() {
    prediction_.scores.clear();
    best_units_.clear();
    for (std::size_t label = 0; label < classes().size(); ++label) {
        prediction_.scores.push_back(score_class(label));
        prediction_.work.reached += (*snapshot_)[label].units.size();
        best_units_.push_back(best_unit_);
    }
}

const Prediction& ModelReader::predict(const Network& network) {
    set_observation(network);
    prediction_.work = {};
    budget_ > 0 && has_many_units() ? score_nearest() : score_all();
    learner::complete_prediction(prediction_, context().params.temperature);
    set_fit();
    return prediction_;
}

void ModelReader::set_fit() {
    prediction_.fit.reset();
    prediction_.known.reset();
    if (!prediction_.best) return;
    const std::size_t label = *prediction_.best;
    const SnapshotClass& known = (*snapshot_)[label];
    if (known.units.empty()) return;
    const double fit =
        prediction_.scores[label] / static_cast<double>(std::max<std::size_t>(1, node_count()));
    const ReadyUnit& best = unpacker_(*known.units[best_units_[label]]);
    prediction_.fit = fit;
    prediction_.known = known_probability(fit, best.expected_fit(context()), best.unit.count);
}

/// Queues all units in all poses. A class of n units scores at most log n more than its best unit in its best
/// pose.
void ModelReader::queue_units() {
    queue_.clear();
    for (std::uint32_t label = 0; label < snapshot_->size(); ++label) {
        const SnapshotClass& known = (*snapshot_)[label];
        for (std::uint32_t unit = 0; unit < known.units.size(); ++unit) {
            for (std::uint32_t pose = 0; pose < observed_.poses(); ++pose) {
                const double bound = ranked_bound(ranked(unpacker_(*known.units[unit]), pose));
                queue_.push_back({bound + known.log_shares[unit] + known.log_size, label, unit, pose});
            }
        }
    }
    std::make_heap(queue_.begin(), queue_.end());
}

ModelReader::BoundedUnit ModelReader::next_in_queue() {
    std::pop_heap(queue_.begin(), queue_.end());
    const BoundedUnit next = queue_.back();
    queue_.pop_back();
    return next;
}

/// Lowers the bound of a unit, to minus infinity if it is below `floor`.
void ModelReader::screen(BoundedUnit& next, double floor) {
    const SnapshotClass& known = (*snapshot_)[next.label];
    const double offset = known.log_shares[next.unit] + known.log_size;
    next.bound = offset + screened_bound(screened(unpacker_(*known.units[next.unit]), next.pose),
                                         next.bound - offset, floor - offset);
}

double ModelReader::log_poses() const {
    return observed_.poses() == 1 ? 0 : elementary::log(static_cast<double>(observed_.poses()));
}

/// The score of a class is not below that of one of its units in one pose.
void ModelReader::score(BoundedUnit& candidate) {
    ++decision_.work.reached;
    const SnapshotClass& known = (*snapshot_)[candidate.label];
    const double score = scorer_.score(unpacker_(*known.units[candidate.unit]).predictive,
                                       observed_.features(candidate.pose)) +
                         known.log_shares[candidate.unit];
    candidate.is_scored = true;
    candidate.bound = score + known.log_size + rounding_margin;
    highest_ = std::max(highest_, score - log_poses() - rounding_margin);
}

/// Finds the units that may belong to the class with the highest score. The others are excluded by bounds.
void ModelReader::find_candidates() {
    constexpr std::size_t lead = 4;
    queue_units();
    // The best of the first few is scored: it rules out most others.
    while (!queue_.empty() && candidates_.size() < lead)
        screen(candidates_.emplace_back(next_in_queue()), highest_);
    if (!candidates_.empty()) score(*std::max_element(candidates_.begin(), candidates_.end()));
    while (!queue_.empty() && queue_.front().bound >= highest_) {
        BoundedUnit next = next_in_queue();
        screen(next, highest_);
        if (next.bound >= highest_) candidates_.push_back(next);
    }
}

/// Leaves the classes that may have the highest score. Each is in `candidates_` once, by number.
void ModelReader::score_candidates() {
    std::ranges::sort(candidates_, std::greater(), &BoundedUnit::bound);
    for (BoundedUnit& candidate : candidates_)
        if (!candidate.is_scored && candidate.bound >= highest_) score(candidate);
    std::uint32_t first = 0; // class of the block
    for (const auto& block : snapshot_->blocks) {
        for (const std::uint32_t place : block->without_units) {
            candidates_.push_back({.bound = 0, .label = first + place});
            highest_ = std::max(highest_, 0.0);
        }
        first += Snapshot::block_size;
    }
    std::erase_if(candidates_, [&](const BoundedUnit& candidate) { return candidate.bound < highest_; });
    std::ranges::sort(candidates_, {}, &BoundedUnit::label);
    const auto same_class = [](const BoundedUnit& a, const BoundedUnit& b) { return a.label == b.label; };
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same_class), candidates_.end());
}

const Decision& ModelReader::decide(const Network& network) {
    set_observation(network);
    decision_ = {};
    candidates_.clear();
    highest_ = minus_infinity;
    has_many_units() ? find_among_many() : find_candidates();
    score_candidates();
    if (candidates_.size() == 1) {
        decision_.best = candidates_.front().label;
        return decision_;
    }
    double best = minus_infinity;
    for (const BoundedUnit& candidate : candidates_) {
        const double score = score_class(candidate.label);
        decision_.work.reached += (*snapshot_)[candidate.label].units.size();
        if (decision_.best && score <= best) continue; // ties go to the first class, as in a prediction
        best = score;
        decision_.best = candidate.label;
    }
    return decision_;
}

const ObservationFeatures& ModelReader::best_pose(const ReadyUnit& unit) {
    if (observed_.poses() == 1) return observed_.first();
    (void)score_unit(unit, minus_infinity);
    const auto best = std::ranges::max_element(by_pose_) - by_pose_.begin();
    return observed_.features(static_cast<std::size_t>(best));
}

/// The contribution of each unit: the increase of the score when it is added to the better-scoring units. All
/// contributions are multiples of 2^-32 and add up to the score exactly.
void ModelReader::explain_class(std::size_t label, std::vector<Contribution>& contributions) {
    const SnapshotClass& known = (*snapshot_)[label];
    (void)score_class(label);
    const std::vector<double> values = log_likelihoods_;
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    std::vector<double> so_far;
    double before = 0;
    for (const std::size_t i : order) {
        so_far.push_back(values[i]);
        const double after =
            quantise(so_far.size() == order.size() ? log_sum_exp(values) : log_sum_exp(so_far));
        const ReadyUnit& unit = unpacker_(*known.units[i]);
        const double in_all_poses = score_unit(unit, minus_infinity);
        const ObservationFeatures& observed = best_pose(unit);
        const double log_likelihood = scorer_.place(unit.predictive, observed);
        Contribution& part = contributions.emplace_back();
        part.unit = unit.unit.lineage;
        part.label = label;
        part.present = true;
        part.value = after - before; // 0 if left out of the mixture
        part.log_likelihood = log_likelihood;
        const std::size_t directions = observed.types() / 4;
        part.pose = {std::numbers::pi * observed.pose().turn / static_cast<double>(directions),
                     observed.pose().left_right, observed.pose().top_bottom};
        part.log_weight = known.log_shares[i] + (in_all_poses - log_likelihood);
        before = after;
        for (std::size_t node = 0; node < unit.unit.size(); ++node) {
            const std::uint32_t at = scorer_.placed()[node];
            part.placed.push_back(at == unassigned ? no_node : observed.id(at));
            part.node_values.push_back(absence_of(unit.unit.nodes[node]) + scorer_.gains()[node]);
        }
    }
}

Explanation ModelReader::explain(const Network& network) {
    Explanation explanation{predict(network), {}};
    for (std::size_t label = 0; label < classes().size(); ++label) {
        if (!(*snapshot_)[label].units.empty()) explain_class(label, explanation.contributions);
    }
    return explanation;
}

} // namespace sprig::constellation
