#include "modeller/presence_read_out.h"

#include <algorithm>

#include "core/exact.h"

namespace sprig::modeller {

namespace {

constexpr std::uint32_t none = PlanUnit::none;

/// Evidence by unit, and for `precedence` who speaks in its place.
struct Fused {
    std::vector<double> evidence;
    std::vector<std::uint32_t> speaker; ///< `none`: the unit itself
};

/// From the leaves down: a unit comes after its target in the plan.
Fused fuse(const ReadPlan& plan, std::span<const double> degree, bool precedence) {
    const std::size_t count = plan.units.size();
    Fused fused{std::vector<double>(count, 0), std::vector<std::uint32_t>(count, none)};
    std::vector<double> upstream(count, 0); ///< the sum, or with precedence the strongest
    for (std::size_t u = count; u-- > 0;) {
        const PlanUnit& unit = plan.units[u];
        if (degree[u] == 0 || !unit.consulted) continue;
        const bool overruled = fused.speaker[u] != none;
        fused.evidence[u] = overruled ? upstream[u] : random::exact(degree[u] * unit.present) + upstream[u];
        const double voice = fused.evidence[u];
        if (unit.target == none || voice <= 0) continue;
        const double signed_voice = unit.is_negative ? -voice : voice;
        if (!precedence) {
            upstream[unit.target] += signed_voice;
        } else if (voice > std::abs(upstream[unit.target])) {
            upstream[unit.target] = signed_voice;
            fused.speaker[unit.target] = static_cast<std::uint32_t>(u);
        }
    }
    return fused;
}

/// The first-level unit with most evidence, by class.
std::vector<std::uint32_t> best_trees(const ReadPlan& plan, std::span<const double> degree,
                                      const Fused& fused) {
    std::vector<std::uint32_t> best(plan.labels.size(), none);
    for (std::uint32_t u = 0; u < plan.units.size(); ++u) {
        const PlanUnit& unit = plan.units[u];
        if (unit.target != none || degree[u] == 0 || !unit.consulted) continue;
        std::uint32_t& chosen = best[unit.label];
        if (chosen == none || fused.evidence[u] > fused.evidence[chosen]) chosen = u;
    }
    return best;
}

} // namespace

std::vector<double> presence_values(const ReadPlan& plan, std::span<const double> degree, bool precedence) {
    const Fused fused = fuse(plan, degree, precedence);
    const std::vector<std::uint32_t> best = best_trees(plan, degree, fused);
    std::vector<double> values(plan.units.size(), 0);
    std::vector<double> sign(plan.units.size(), 0); ///< 0: is not heard
    for (std::uint32_t u = 0; u < plan.units.size(); ++u) {
        const PlanUnit& unit = plan.units[u];
        if (degree[u] == 0 || !unit.consulted) continue;
        if (unit.target == none) {
            sign[u] = best[unit.label] == u ? 1 : 0;
        } else if (fused.evidence[u] > 0 && (!precedence || fused.speaker[unit.target] == u)) {
            sign[u] = unit.is_negative ? -sign[unit.target] : sign[unit.target];
        }
        if (fused.speaker[u] == none) values[u] = sign[u] * random::exact(degree[u] * unit.present);
    }
    return values;
}

} // namespace sprig::modeller
