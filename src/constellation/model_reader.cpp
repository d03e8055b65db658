#include "constellation/model_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "constellation/mixture.h"
#include "learner/calibration.h"
#include "learner/family.h"
#include "core/exact.h"

namespace sprig::constellation {

namespace {

/// More than what rounding can add up to: bounds are compared with that much caution.
constexpr double caution = 1e-6;
/// A unit this far below the best one would add 1.4e-11 to the score.
constexpr double negligible = 25;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

} // namespace

ModelReader::ModelReader(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)),
      sights_(make_sights(snapshot_->params, snapshot_->schema->node_types.size())),
      explainer_(snapshot_->params, sights_.front().set()) {}

ModelReader::ModelReader(const ModelReader& other) : ModelReader(other.snapshot_) {}

std::unique_ptr<Reader> ModelReader::clone() const {
    return std::make_unique<ModelReader>(*this);
}

void ModelReader::look_at(const Network& network) {
    learner::check_family(network, snapshot_->schema);
    for (Sight& sight : sights_) sight.assign(network);
}

/// How well a unit explains the observation in whatever pose: the mean over poses, all as likely. Minus
/// infinity if that is certain to be below `floor`.
double ModelReader::explain_unit(const Predictive& unit, double floor) {
    if (sights_.size() == 1) {
        const Sight& sight = sights_.front();
        if (floor == minus_infinity) return explainer_.explain(unit, sight);
        const double bound = Explainer::bound(unit, sight);
        return bound < floor ? minus_infinity : explainer_.explain(unit, sight, bound, floor);
    }
    by_pose_.clear();
    for (const Sight& sight : sights_) by_pose_.push_back(explainer_.explain(unit, sight));
    return log_sum(by_pose_) - std::log(static_cast<double>(sights_.size()));
}

/// A class of which nothing is known explains everything as well as clutter does: its score is 0. Units that
/// explain so much worse than the best one that they would add less than a billionth are left out of the
/// mixture, and so need not be looked at to the end.
double ModelReader::score_class(std::size_t label) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0;
    explanations_.clear();
    double top = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double floor = top - negligible - known.log_shares[i];
        const double explained = explain_unit(known.units[i]->predictive, floor);
        explanations_.push_back(explained + known.log_shares[i]);
        top = std::max(top, explanations_.back());
    }
    for (double& explained : explanations_) {
        if (explained < top - negligible) explained = minus_infinity;
    }
    return random::exact(log_sum(explanations_));
}

const Prediction& ModelReader::predict(const Network& network) {
    look_at(network);
    prediction_.work = {};
    prediction_.scores.clear();
    for (std::size_t label = 0; label < classes().size(); ++label) {
        prediction_.scores.push_back(score_class(label));
        prediction_.work.reached += snapshot_->classes[label].units.size();
    }
    learner::conclude(prediction_, snapshot_->params.temperature);
    prediction_.explained.reset();
    if (prediction_.best && !snapshot_->classes[*prediction_.best].units.empty()) {
        const auto nodes = static_cast<double>(std::max<std::size_t>(1, nodes_seen()));
        prediction_.explained = prediction_.scores[*prediction_.best] / nodes;
    }
    return prediction_;
}

/// What a class's score cannot exceed; leaves the bounds of its units in all poses behind.
double ModelReader::bound_class(std::size_t label) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0;
    double most = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        for (const Sight& sight : sights_) {
            unit_bounds_.push_back(Explainer::bound(known.units[i]->predictive, sight));
            most = std::max(most, unit_bounds_.back() + known.log_shares[i]);
        }
    }
    return most + std::log(static_cast<double>(known.units.size())) + caution;
}

/// Whether some unit of the class might lift its score to `floor`. If none of n units reaches floor - log n
/// in any pose, their mixture does not reach it either.
bool ModelReader::may_reach(std::size_t label, double floor) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0 >= floor;
    const double needed = floor - std::log(static_cast<double>(known.units.size())) - caution;
    std::size_t bound = first_bound_[label];
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double unit_needed = needed - known.log_shares[i];
        for (const Sight& sight : sights_) {
            const double most = unit_bounds_[bound++];
            if (most < unit_needed) continue;
            ++decision_.work.reached;
            if (explainer_.explain(known.units[i]->predictive, sight, most, unit_needed) > minus_infinity)
                return true;
        }
    }
    return false;
}

const Decision& ModelReader::decide(const Network& network) {
    look_at(network);
    decision_ = {};
    unit_bounds_.clear();
    first_bound_.clear();
    order_.clear();
    for (std::size_t label = 0; label < classes().size(); ++label) {
        first_bound_.push_back(unit_bounds_.size());
        order_.emplace_back(-bound_class(label), label);
    }
    // The class that might explain it best first: then most others cannot win any more.
    std::sort(order_.begin(), order_.end());
    double best = minus_infinity;
    for (const auto& [minus_bound, label] : order_) {
        if (decision_.best && -minus_bound < best) break;
        if (decision_.best && !may_reach(label, best)) continue;
        const double score = score_class(label);
        decision_.work.reached += snapshot_->classes[label].units.size();
        // Among equals the first class wins, as in a prediction.
        if (!decision_.best || score > best || (score == best && label < *decision_.best)) {
            best = score;
            decision_.best = label;
        }
    }
    return decision_;
}

const Sight& ModelReader::best_pose(const Predictive& unit) {
    if (sights_.size() == 1) return sights_.front();
    (void)explain_unit(unit, minus_infinity);
    return sights_[static_cast<std::size_t>(std::max_element(by_pose_.begin(), by_pose_.end()) -
                                            by_pose_.begin())];
}

/// The part of each unit in the mixture: what the score grows by when it joins those that explain better.
/// All parts are multiples of 2^-32 and add up to the score exactly.
void ModelReader::explain_class(std::size_t label, std::vector<Contribution>& contributions) {
    const Snapshot::Class& known = snapshot_->classes[label];
    (void)score_class(label);
    const std::vector<double> values = explanations_;
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    std::vector<double> so_far;
    double before = 0;
    for (const std::size_t i : order) {
        so_far.push_back(values[i]);
        const double after = random::exact(so_far.size() == order.size() ? log_sum(values) : log_sum(so_far));
        const Predictive& unit = known.units[i]->predictive;
        const double in_all_poses = explain_unit(unit, minus_infinity);
        const Sight& sight = best_pose(unit);
        const double explained = explainer_.place(unit, sight);
        Contribution& part = contributions.emplace_back();
        part.unit = known.units[i]->unit.lineage;
        part.label = label;
        part.present = true;
        part.value = after - before; // 0 for those left out of the mixture
        part.explained = explained;
        part.left_right = sight.pose().left_right;
        part.top_bottom = sight.pose().top_bottom;
        part.log_weight = known.log_shares[i] + (in_all_poses - explained);
        before = after;
        for (std::size_t node = 0; node < unit.size(); ++node) {
            const std::uint32_t at = explainer_.placed()[node];
            part.placed.push_back(at == nowhere ? no_node : sight.id(at));
            part.node_values.push_back(unit.absence[node] + explainer_.gains()[node]);
        }
    }
}

Explanation ModelReader::explain(const Network& network) {
    Explanation explanation{predict(network), {}};
    for (std::size_t label = 0; label < classes().size(); ++label) {
        if (!snapshot_->classes[label].units.empty()) explain_class(label, explanation.contributions);
    }
    return explanation;
}

} // namespace sprig::constellation
