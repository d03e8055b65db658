#include <algorithm>
#include <tuple>

#include "core/elementary.h"
#include "core/keyed.h"
#include "modeller/step.h"

namespace sprig::modeller {

namespace {

double depth_factor(ModellerParams::DepthScaling scaling, std::uint32_t depth) {
    switch (scaling) {
    case ModellerParams::DepthScaling::none:
        return 1;
    case ModellerParams::DepthScaling::half_linear:
        return (depth + 1) / 2.0;
    case ModellerParams::DepthScaling::logarithmic:
        return 1 + elementary::log(depth);
    }
    return 1;
}

constexpr std::uint64_t removal_draw = 1;
constexpr std::uint64_t reintegration_draw = 2;

} // namespace

/// A random draw keyed by unit, step and purpose, so that it does not depend on other draws.
bool Step::draw(const Unit& unit, std::uint64_t purpose, double probability) const {
    return probability > 0 &&
           random::uniform(random::mix({seed_, model_.key(), number_, unit.lineage, purpose})) < probability;
}

bool Step::should_remove(const Unit& unit, double activity) const {
    const double threshold = params_.significance * depth_factor(params_.depth_scaling, unit.depth);
    if (activity >= threshold) return false;
    const double freshness = is_conditioned(unit) ? 1 : params_.stale_removal;
    return draw(unit, removal_draw, freshness * params_.removal_rate * (threshold - activity) / threshold);
}

bool Step::should_merge(const Unit& unit, double activity) const {
    const double threshold = params_.reintegration_threshold;
    if (activity <= threshold || unit.polarity == Polarity::negative || unit.target == no_unit) return false;
    if (params_.reintegrate_since_birth) {
        const std::uint64_t cases = model_.target_count(unit) - unit.target_at_birth;
        const std::uint64_t active = unit.active - unit.active_at_birth;
        if (static_cast<double>(active) <= threshold * static_cast<double>(cases)) return false;
    }
    const double freshness = is_conditioned(unit) ? 1 : params_.stale_reintegration;
    return draw(unit, reintegration_draw,
                freshness * params_.reintegration_rate * (activity - threshold) / (1 - threshold));
}

/// Removes units that are almost never active in their target's cases, and merges those that almost always
/// are.
void Step::maintain() {
    std::vector<UnitId> removed;
    std::vector<UnitId> merged;
    for (const UnitId id : model_.in_order()) {
        const Unit& unit = model_.unit(id);
        const std::uint64_t cases = model_.target_count(unit);
        if (unit.born == number_ || cases == 0) continue;
        const double activity = static_cast<double>(unit.active) / static_cast<double>(cases);
        if (should_remove(unit, activity)) {
            removed.push_back(id);
        } else if (should_merge(unit, activity)) {
            merged.push_back(id);
        }
    }
    // All decisions used the same state. Apply them from the leaves down, so that no target goes before its
    // upstream units.
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
