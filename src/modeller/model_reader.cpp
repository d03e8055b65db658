#include "modeller/model_reader.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/quantise.h"
#include "learner/calibration.h"
#include "learner/require_schema.h"
#include "modeller/position_gate.h"
#include "modeller/presence_read_out.h"
#include "sprig/error.h"

namespace sprig::modeller {

using ReadOut = ModellerParams::ReadOut;

ModelReader::ModelReader(std::shared_ptr<const ReadPlan> plan, const ModellerParams& params,
                         std::shared_ptr<const Schema> schema)
    : plan_(std::move(plan)), params_(params), schema_(std::move(schema)),
      full_({.budget = params.search_budget}), partial_(static_cast<std::size_t>(params.seeds)) {}

ModelReader::ModelReader(const ModelReader& other) : ModelReader(other.plan_, other.params_, other.schema_) {}

std::unique_ptr<Reader> ModelReader::clone() const {
    return std::make_unique<ModelReader>(*this);
}

match::Query ModelReader::query_for(const PlanUnit& unit) {
    pins_.clear();
    for (const std::uint32_t anchor : unit.anchors) pins_.push_back(places_[anchor]);
    match::Query query{unit.pattern, observation_, pins_, {}, params_.max_error};
    if (unit.target != PlanUnit::none && params_.chains == ModellerParams::Chains::anchored) {
        query.used = {used_.data() + (unit.target * observation_.words()), observation_.words()};
    }
    return query;
}

bool ModelReader::match_unit(const PlanUnit& unit, std::size_t index) {
    if (!full_(query_for(unit), placed_, prediction_.work)) return false;
    const bool every_node = params_.position_gate == ModellerParams::PositionGate::nodes;
    if (is_gated(params_) &&
        !is_at_typical_position(unit.typical_positions, observation_, placed_, every_node))
        return false;
    std::copy(placed_.begin(), placed_.end(), places_.begin() + unit.first);
    mark_used(unit, index);
    return true;
}

void ModelReader::mark_used(const PlanUnit& unit, std::size_t index) {
    const std::size_t words = observation_.words();
    std::uint64_t* used = used_.data() + (index * words);
    if (unit.target == PlanUnit::none) {
        std::fill_n(used, words, 0);
    } else {
        std::copy_n(used_.data() + (unit.target * words), words, used);
    }
    for (std::size_t i = 0; i < unit.own_nodes; ++i)
        used[placed_[i] / 64] |= std::uint64_t{1} << (placed_[i] % 64);
}

/// Computes what every unit adds to the score of its class, from its position or from its presence.
void ModelReader::set_values() {
    const std::size_t count = plan_->units.size();
    if (params_.read_out != ReadOut::geometric && params_.read_out != ReadOut::student) {
        std::vector<double> degree(present_.begin(), present_.end());
        if (params_.read_out == ReadOut::graded) add_partial_degrees(degree);
        values_ = presence_values(*plan_, degree, params_.read_out == ReadOut::precedence);
        return;
    }
    count_trees();
    values_.assign(count, 0);
    for (std::size_t u = 0; u < count; ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (!unit.contributes) continue;
        values_[u] = present_[u] == 0 ? unit.absent
                     : added_[u] != 0 ? typical_value(unit, *plan_, params_)
                                      : present_value(unit, observation_, places_.data(), *plan_, params_);
        if (trees_[unit.label] > 1) values_[u] = quantise(values_[u] / trees_[unit.label]);
    }
}

/// Sets the degree of match of units that match only in part and whose target matches in full.
void ModelReader::add_partial_degrees(std::vector<double>& degree) {
    for (std::size_t u = 0; u < degree.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (present_[u] != 0 || !is_searchable(unit)) continue;
        degree[u] = partial_(query_for(unit), prediction_.work).degree;
    }
}

void ModelReader::match_all(const Network& network) {
    learner::require_schema(network, schema_);
    observation_.assign(network);
    const std::size_t count = plan_->units.size();
    prediction_.work = {};
    present_.assign(count, 0);
    places_.resize(plan_->places);
    used_.resize(count * observation_.words());
    for (std::size_t u = 0; u < count; ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (is_searchable(unit)) {
            ++prediction_.work.reached;
            present_[u] = match_unit(unit, u) ? 1 : 0;
        } else {
            ++prediction_.work.skipped;
        }
        if (added_[u] == 0) continue;
        if (present_[u] != 0)
            added_[u] = 0; // it matches, so it need not be added
        else if (unit.target == PlanUnit::none || present_[unit.target] != 0)
            present_[u] = 1;
    }
}

/// Whether its target has an assignment.
bool ModelReader::is_searchable(const PlanUnit& unit) const {
    return unit.target == PlanUnit::none || (present_[unit.target] != 0 && added_[unit.target] == 0);
}

/// Counts the first-level units of each class that are present, if scores are divided by them.
void ModelReader::count_trees() {
    trees_.assign(plan_->labels.size(), 0);
    if (!params_.average_trees) return;
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (present_[u] != 0 && unit.contributes && unit.target == PlanUnit::none) trees_[unit.label] += 1;
    }
}

/// Computes the scores of an observation, with the additions.
void ModelReader::read(const Network& network) {
    match_all(network);
    prediction_.scores.assign(plan_->labels.size(), 0);
    set_values();
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        prediction_.scores[plan_->units[u].label] += values_[u];
    }
}

const Prediction& ModelReader::predict(const Network& network) {
    set_additions({});
    read(network);
    learner::complete_prediction(prediction_, plan_->temperature);
    return prediction_;
}

Explanation ModelReader::explain(const Network& network) {
    Explanation explanation;
    explanation.prediction = predict(network);
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        Contribution contribution{unit.lineage, unit.label, present_[u] != 0, values_[u], {}};
        if (contribution.present) {
            for (std::size_t i = 0; i < unit.own_nodes; ++i) {
                contribution.placed.push_back(observation_.original(places_[unit.first + i]));
            }
            contribution.node_values = node_values(unit, observation_, places_.data(), *plan_, params_);
            const double trees = trees_.empty() ? 1 : std::max(1.0, trees_[unit.label]);
            for (double& value : contribution.node_values) value /= trees;
        }
        explanation.contributions.push_back(std::move(contribution));
    }
    return explanation;
}

void ModelReader::set_additions(std::span<const Addition> added) {
    added_.assign(plan_->units.size(), 0);
    for (const Addition& one : added) {
        const auto found = std::ranges::find(plan_->units, one.unit, &PlanUnit::lineage);
        if (found == plan_->units.end() || !one.nodes.empty())
            throw usage_error(
                fmt::format("the model has no unit {:016x} that can be added as a whole", one.unit));
        added_[static_cast<std::size_t>(found - plan_->units.begin())] = 1;
    }
}

/// The typical value of a unit if present, minus its value if absent.
double ModelReader::gain_of(const PlanUnit& unit) const {
    return typical_value(unit, *plan_, params_) - unit.absent;
}

/// Absent units of class `in_favour`, and absent units of class `against` that might lower its score: those
/// of the first level never do.
std::vector<Addition> ModelReader::possible_additions(const Network& network, std::size_t in_favour,
                                                      std::size_t against) {
    (void)predict(network);
    std::vector<std::pair<double, Addition>> by_gain;
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (present_[u] != 0 || !unit.contributes) continue;
        if (unit.label == in_favour) by_gain.push_back({gain_of(unit), {unit.lineage, {}}});
        if (unit.label == against && unit.target != PlanUnit::none)
            by_gain.push_back({-gain_of(unit), {unit.lineage, {}}});
    }
    std::ranges::stable_sort(by_gain, std::greater<>(), [](const auto& entry) { return entry.first; });
    std::vector<Addition> all;
    all.reserve(by_gain.size());
    for (const auto& [gain, addition] : by_gain) all.push_back(addition);
    return all;
}

std::vector<double> ModelReader::scores_with(const Network& network, std::span<const Addition> added) {
    set_additions(added);
    read(network);
    return prediction_.scores;
}

} // namespace sprig::modeller
