#include <algorithm>
#include <cmath>
#include <tuple>

#include "modeller/step.h"
#include "core/keyed.h"

namespace sprig::modeller {

namespace {

double depth_factor(ModellerParams::DepthScaling scaling, std::uint32_t depth) {
    switch (scaling) {
    case ModellerParams::DepthScaling::none:
        return 1;
    case ModellerParams::DepthScaling::half_linear:
        return (depth + 1) / 2.0;
    case ModellerParams::DepthScaling::logarithmic:
        return 1 + std::log(depth);
    }
    return 1;
}

constexpr std::uint64_t removal_draw = 1;
constexpr std::uint64_t reintegration_draw = 2;

} // namespace

/// A draw that belongs to this unit, step and purpose: no other draw can shift it.
bool Step::draw(const Unit& unit, std::uint64_t purpose, double probability) const {
    return probability > 0 &&
           random::uniform(random::mix({seed_, model_.key(), number_, unit.lineage, purpose})) < probability;
}

bool Step::is_to_be_removed(const Unit& unit, double satisfied) const {
    const double band = params_.significance * depth_factor(params_.depth_scaling, unit.depth);
    if (satisfied >= band) return false;
    const double freshness = is_conditioned(unit) ? 1 : params_.stale_removal;
    return draw(unit, removal_draw, freshness * params_.removal_rate * (band - satisfied) / band);
}

bool Step::is_to_be_merged(const Unit& unit, double satisfied) const {
    const double band = params_.reintegration_threshold;
    if (satisfied <= band || unit.polarity == Polarity::negative || unit.target == no_unit) return false;
    if (params_.reintegrate_since_birth) {
        const std::uint64_t chances = model_.target_count(unit) - unit.target_at_birth;
        const std::uint64_t taken = unit.active - unit.active_at_birth;
        if (static_cast<double>(taken) <= band * static_cast<double>(chances)) return false;
    }
    const double freshness = is_conditioned(unit) ? 1 : params_.stale_reintegration;
    return draw(unit, reintegration_draw,
                freshness * params_.reintegration_rate * (satisfied - band) / (1 - band));
}

/// Retires units that are almost never, or almost always, there when their target is as they say.
void Step::maintain() {
    std::vector<UnitId> removed;
    std::vector<UnitId> merged;
    for (const UnitId id : model_.in_order()) {
        const Unit& unit = model_.unit(id);
        const std::uint64_t chances = model_.target_count(unit);
        if (unit.born == number_ || chances == 0) continue;
        const double satisfied = static_cast<double>(unit.active) / static_cast<double>(chances);
        if (is_to_be_removed(unit, satisfied)) {
            removed.push_back(id);
        } else if (is_to_be_merged(unit, satisfied)) {
            merged.push_back(id);
        }
    }
    // All was decided on the same state; now from the outside in, so that nobody's target goes first.
    std::reverse(removed.begin(), removed.end());
    std::reverse(merged.begin(), merged.end());
    for (const UnitId id : removed) {
        if (model_.is_alive(id)) model_.remove(id);
    }
    for (const UnitId id : merged) {
        if (model_.is_alive(id)) model_.merge(id);
    }
}

} // namespace sprig::modeller
