#include "modeller/model_reader.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "learner/calibration.h"
#include "learner/family.h"
#include "modeller/position_gate.h"
#include "modeller/presence_read_out.h"
#include "core/exact.h"
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

bool ModelReader::place(const PlanUnit& unit, std::size_t index) {
    if (!full_(query_for(unit), placed_, prediction_.work)) return false;
    const bool every_node = params_.position_gate == ModellerParams::PositionGate::nodes;
    if (is_gated(params_) && !lies_in_place(unit.usual, observation_, placed_, every_node)) return false;
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

/// What every unit adds to the score of its class, by where it is or by whether it is there.
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
        if (!unit.consulted) continue;
        values_[u] = present_[u] == 0    ? unit.absent
                     : supposed_[u] != 0 ? usual_value(unit, *plan_, params_)
                                         : present_value(unit, observation_, places_.data(), *plan_, params_);
        if (trees_[unit.label] > 1) values_[u] = random::exact(values_[u] / trees_[unit.label]);
    }
}

/// How far the units are there that are not there in full, but whose target is.
void ModelReader::add_partial_degrees(std::vector<double>& degree) {
    for (std::size_t u = 0; u < degree.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (present_[u] != 0 || !can_be_looked_for(unit)) continue;
        degree[u] = partial_(query_for(unit), prediction_.work).degree;
    }
}

void ModelReader::place_all(const Network& network) {
    learner::check_family(network, schema_);
    observation_.assign(network);
    const std::size_t count = plan_->units.size();
    prediction_.work = {};
    present_.assign(count, 0);
    places_.resize(plan_->places);
    used_.resize(count * observation_.words());
    for (std::size_t u = 0; u < count; ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (can_be_looked_for(unit)) {
            ++prediction_.work.reached;
            present_[u] = place(unit, u) ? 1 : 0;
        } else {
            ++prediction_.work.skipped;
        }
        if (supposed_[u] == 0) continue;
        if (present_[u] != 0)
            supposed_[u] = 0; // found: there is nothing to suppose
        else if (unit.target == PlanUnit::none || present_[unit.target] != 0)
            present_[u] = 1;
    }
}

/// Whether that on which it stands has a place.
bool ModelReader::can_be_looked_for(const PlanUnit& unit) const {
    return unit.target == PlanUnit::none || (present_[unit.target] != 0 && supposed_[unit.target] == 0);
}

/// How many trees speak for each class, if they are to share one voice: units of one class that are all there
/// saw the same shape, so their sum would count it several times.
void ModelReader::count_trees() {
    trees_.assign(plan_->labels.size(), 0);
    if (!params_.average_trees) return;
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (present_[u] != 0 && unit.consulted && unit.target == PlanUnit::none) trees_[unit.label] += 1;
    }
}

/// The scores of an observation, with what is supposed beside it.
void ModelReader::read(const Network& network) {
    place_all(network);
    prediction_.scores.assign(plan_->labels.size(), 0);
    set_values();
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        prediction_.scores[plan_->units[u].label] += values_[u];
    }
}

const Prediction& ModelReader::predict(const Network& network) {
    suppose({});
    read(network);
    learner::conclude(prediction_, plan_->temperature);
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
            const double voices = trees_.empty() ? 1 : std::max(1.0, trees_[unit.label]);
            for (double& value : contribution.node_values) value /= voices;
        }
        explanation.contributions.push_back(std::move(contribution));
    }
    return explanation;
}

void ModelReader::suppose(std::span<const Supposition> added) {
    supposed_.assign(plan_->units.size(), 0);
    for (const Supposition& one : added) {
        const auto found = std::ranges::find(plan_->units, one.unit, &PlanUnit::lineage);
        if (found == plan_->units.end() || one.node)
            throw usage_error(
                fmt::format("the model has no unit {:016x} that could be supposed as a whole", one.unit));
        supposed_[static_cast<std::size_t>(found - plan_->units.begin())] = 1;
    }
}

/// How much more a unit would usually say by being there than it says by its absence.
double ModelReader::gain_of(const PlanUnit& unit) const {
    return usual_value(unit, *plan_, params_) - unit.absent;
}

/// Silent units of the one class, and those of the other that might speak against it: the first level never
/// does.
std::vector<Supposition> ModelReader::suppositions(const Network& network, std::size_t in_favour,
                                                   std::size_t against) {
    (void)predict(network);
    std::vector<std::pair<double, Supposition>> by_gain;
    for (std::size_t u = 0; u < plan_->units.size(); ++u) {
        const PlanUnit& unit = plan_->units[u];
        if (present_[u] != 0 || !unit.consulted) continue;
        if (unit.label == in_favour) by_gain.push_back({gain_of(unit), {unit.lineage, {}}});
        if (unit.label == against && unit.target != PlanUnit::none)
            by_gain.push_back({-gain_of(unit), {unit.lineage, {}}});
    }
    std::ranges::stable_sort(by_gain, std::greater<>(), [](const auto& entry) { return entry.first; });
    std::vector<Supposition> all;
    all.reserve(by_gain.size());
    for (const auto& [gain, supposition] : by_gain) all.push_back(supposition);
    return all;
}

std::vector<double> ModelReader::scores_if(const Network& network, std::span<const Supposition> added) {
    suppose(added);
    read(network);
    return prediction_.scores;
}

} // namespace sprig::modeller
