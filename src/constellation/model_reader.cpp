#include "constellation/model_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "learner/calibration.h"
#include "learner/family.h"
#include "random/exact.h"

namespace sprig::constellation {

namespace {

/// More than what rounding can add up to: bounds are compared with that much caution.
constexpr double caution = 1e-6;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// The logarithm of the sum of exponentials of some numbers.
double log_sum(const std::vector<double>& values) {
    const double top = *std::max_element(values.begin(), values.end());
    double sum = 0;
    for (const double value : values) sum += std::exp(value - top);
    return top + std::log(sum);
}

} // namespace

ModelReader::ModelReader(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)), sight_(snapshot_->params, snapshot_->schema->node_types.size()),
      explainer_(snapshot_->params, sight_.set()) {}

ModelReader::ModelReader(const ModelReader& other) : ModelReader(other.snapshot_) {}

std::unique_ptr<Reader> ModelReader::clone() const {
    return std::make_unique<ModelReader>(*this);
}

void ModelReader::look_at(const Network& network) {
    learner::check_family(network, snapshot_->schema);
    sight_.assign(network);
}

/// A class of which nothing is known explains everything as well as clutter does: its score is 0.
double ModelReader::score_class(std::size_t label) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0;
    explanations_.clear();
    best_explained_ = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double explained = explainer_.explain(known.units[i]->predictive, sight_);
        best_explained_ = std::max(best_explained_, explained);
        explanations_.push_back(explained + known.log_shares[i]);
    }
    return random::exact(log_sum(explanations_));
}

const Prediction& ModelReader::predict(const Network& network) {
    look_at(network);
    prediction_.work = {};
    prediction_.scores.clear();
    prediction_.familiarity.reset();
    const auto nodes = static_cast<double>(std::max<std::size_t>(1, sight_.size()));
    double best = minus_infinity;
    for (std::size_t label = 0; label < classes().size(); ++label) {
        const Snapshot::Class& known = snapshot_->classes[label];
        const double score = score_class(label);
        if (score > best) {
            best = score;
            prediction_.familiarity.reset();
            if (!known.units.empty())
                prediction_.familiarity = known.usual.above_usual(best_explained_ / nodes);
        }
        prediction_.scores.push_back(score);
        prediction_.work.reached += known.units.size();
    }
    learner::conclude(prediction_, snapshot_->params.temperature);
    return prediction_;
}

/// What a class's score cannot exceed; leaves the bounds of its units behind.
double ModelReader::bound_class(std::size_t label) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0;
    double most = minus_infinity;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        unit_bounds_.push_back(Explainer::bound(known.units[i]->predictive, sight_));
        most = std::max(most, unit_bounds_.back() + known.log_shares[i]);
    }
    return most + std::log(static_cast<double>(known.units.size())) + caution;
}

/// Whether some unit of the class might lift its score to `floor`. If none of n units reaches floor - log n,
/// their mixture does not reach it either.
bool ModelReader::may_reach(std::size_t label, double floor) {
    const Snapshot::Class& known = snapshot_->classes[label];
    if (known.units.empty()) return 0 >= floor;
    const double needed = floor - std::log(static_cast<double>(known.units.size())) - caution;
    for (std::size_t i = 0; i < known.units.size(); ++i) {
        const double bound = unit_bounds_[first_bound_[label] + i];
        const double unit_needed = needed - known.log_shares[i];
        if (bound < unit_needed) continue;
        ++decision_.work.reached;
        if (explainer_.explain(known.units[i]->predictive, sight_, bound, unit_needed) > minus_infinity)
            return true;
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
        (void)explainer_.explain(unit, sight_);
        Contribution& part = contributions.emplace_back();
        part.unit = known.units[i]->unit.lineage;
        part.label = label;
        part.present = true;
        part.value = after - before;
        before = after;
        for (std::size_t node = 0; node < unit.size(); ++node) {
            const std::uint32_t at = explainer_.placed()[node];
            part.placed.push_back(at == nowhere ? no_node : sight_.id(at));
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
