#include "constellation/model_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "constellation/mixture.h"
#include "core/quantise.h"
#include "learner/calibration.h"
#include "learner/require_schema.h"

namespace sprig::constellation {

namespace {

/// Units this far below the best one add at most 1.4e-11 each to the score.
constexpr double negligible = 25;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

} // namespace

ModelReader::ModelReader(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)),
      poses_(make_observation_features(snapshot_->params, snapshot_->schema->node_types.size())),
      scorer_(snapshot_->params, poses_.front().set()) {}

ModelReader::ModelReader(const ModelReader& other) : ModelReader(other.snapshot_) {}

std::unique_ptr<Reader> ModelReader::clone() const {
    return std::make_unique<ModelReader>(*this);
}

void ModelReader::set_observation(const Network& network) {
    learner::require_schema(network, snapshot_->schema);
    for (ObservationFeatures& observed : poses_) observed.assign(network);
}

/// The score of a unit over all poses, which are equally likely. Minus infinity if it is known to be below
/// `floor`.
double ModelReader::score_unit(const Predictive& unit, double floor) {
    if (poses_.size() == 1) {
        const ObservationFeatures& observed = poses_.front();
        if (floor == minus_infinity) return scorer_.score(unit, observed);
        const double bound = UnitScorer::bound(unit, observed);
        return bound < floor ? minus_infinity : scorer_.score(unit, observed, bound, floor);
    }
    by_pose_.clear();
    for (const ObservationFeatures& observed : poses_) by_pose_.push_back(scorer_.score(unit, observed));
    return log_sum_exp(by_pose_) - std::log(static_cast<double>(poses_.size()));
}

/// A class without units scores 0, the score of clutter. Units that would add less than a billionth are left
/// out of the mixture, so that they need not be scored completely.
double ModelReader::score_class(std::size_t label) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0;
    log_likelihoods_.clear();
    double top = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double floor = top - negligible - known.log_shares[i];
        const double log_likelihood = score_unit(known.units[i]->predictive, floor);
        log_likelihoods_.push_back(log_likelihood + known.log_shares[i]);
        top = std::max(top, log_likelihoods_.back());
    }
    for (double& log_likelihood : log_likelihoods_) {
        if (log_likelihood < top - negligible) log_likelihood = minus_infinity;
    }
    return quantise(log_sum_exp(log_likelihoods_));
}

const Prediction& ModelReader::predict(const Network& network) {
    set_observation(network);
    prediction_.work = {};
    prediction_.scores.clear();
    for (std::size_t label = 0; label < classes().size(); ++label) {
        prediction_.scores.push_back(score_class(label));
        prediction_.work.reached += snapshot_->classes[label].units.size();
    }
    learner::complete_prediction(prediction_, snapshot_->params.temperature);
    prediction_.fit.reset();
    if (prediction_.best && !snapshot_->classes[*prediction_.best].units.empty()) {
        const auto nodes = static_cast<double>(std::max<std::size_t>(1, node_count()));
        prediction_.fit = prediction_.scores[*prediction_.best] / nodes;
    }
    return prediction_;
}

/// An upper bound of a class's score. Appends the bounds of its units in all poses to `unit_bounds_`.
double ModelReader::bound_class(std::size_t label) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0;
    double most = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        for (const ObservationFeatures& observed : poses_) {
            unit_bounds_.push_back(UnitScorer::bound(known.units[i]->predictive, observed));
            most = std::max(most, unit_bounds_.back() + known.log_shares[i]);
        }
    }
    return most + std::log(static_cast<double>(known.units.size())) + rounding_margin;
}

/// Whether the score of a class can reach `floor`. If none of n units reaches floor - log n in any pose,
/// their mixture does not reach `floor`.
bool ModelReader::may_reach(std::size_t label, double floor) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0 >= floor;
    const double needed = floor - std::log(static_cast<double>(known.units.size())) - rounding_margin;
    std::size_t bound = first_bound_[label];
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double unit_needed = needed - known.log_shares[i];
        for (const ObservationFeatures& observed : poses_) {
            const double most = unit_bounds_[bound++];
            if (most < unit_needed) continue;
            ++decision_.work.reached;
            if (scorer_.score(known.units[i]->predictive, observed, most, unit_needed) > minus_infinity)
                return true;
        }
    }
    return false;
}

const Decision& ModelReader::decide(const Network& network) {
    set_observation(network);
    decision_ = {};
    unit_bounds_.clear();
    first_bound_.clear();
    order_.clear();
    for (std::size_t label = 0; label < classes().size(); ++label) {
        first_bound_.push_back(unit_bounds_.size());
        order_.emplace_back(-bound_class(label), label);
    }
    // The class with the highest bound first: most others can then be skipped.
    std::sort(order_.begin(), order_.end());
    double best = minus_infinity;
    for (const auto& [minus_bound, label] : order_) {
        if (decision_.best && -minus_bound < best) break;
        if (decision_.best && !may_reach(label, best)) continue;
        const double score = score_class(label);
        decision_.work.reached += snapshot_->classes[label].units.size();
        // Ties go to the first class, as in a prediction.
        if (!decision_.best || score > best || (score == best && label < *decision_.best)) {
            best = score;
            decision_.best = label;
        }
    }
    return decision_;
}

const ObservationFeatures& ModelReader::best_pose(const Predictive& unit) {
    if (poses_.size() == 1) return poses_.front();
    (void)score_unit(unit, minus_infinity);
    return poses_[static_cast<std::size_t>(std::max_element(by_pose_.begin(), by_pose_.end()) -
                                           by_pose_.begin())];
}

/// The contribution of each unit: the increase of the score when it is added to the better-scoring units. All
/// contributions are multiples of 2^-32 and add up to the score exactly.
void ModelReader::explain_class(std::size_t label, std::vector<Contribution>& contributions) {
    const Snapshot::Class& known = snapshot_->classes[label];
    (void)score_class(label);
    const std::vector<double> values = log_likelihoods_;
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    std::vector<double> so_far;
    double before = 0;
    for (const std::size_t i : order) {
        so_far.push_back(values[i]);
        const double after =
            quantise(so_far.size() == order.size() ? log_sum_exp(values) : log_sum_exp(so_far));
        const Predictive& unit = known.units[i]->predictive;
        const double in_all_poses = score_unit(unit, minus_infinity);
        const ObservationFeatures& observed = best_pose(unit);
        const double log_likelihood = scorer_.place(unit, observed);
        Contribution& part = contributions.emplace_back();
        part.unit = known.units[i]->unit.lineage;
        part.label = label;
        part.present = true;
        part.value = after - before; // 0 if left out of the mixture
        part.log_likelihood = log_likelihood;
        part.left_right = observed.pose().left_right;
        part.top_bottom = observed.pose().top_bottom;
        part.log_weight = known.log_shares[i] + (in_all_poses - log_likelihood);
        before = after;
        for (std::size_t node = 0; node < unit.size(); ++node) {
            const std::uint32_t at = scorer_.placed()[node];
            part.placed.push_back(at == unassigned ? no_node : observed.id(at));
            part.node_values.push_back(unit.absence[node] + scorer_.gains()[node]);
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
