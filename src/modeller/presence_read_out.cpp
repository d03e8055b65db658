#include "modeller/presence_read_out.h"

#include <algorithm>

#include "core/quantise.h"

namespace sprig::modeller {

namespace {

constexpr std::uint32_t none = PlanUnit::none;

/// Evidence by unit and, for `precedence`, the upstream unit that replaces it.
struct CombinedEvidence {
    std::vector<double> evidence;
    std::vector<std::uint32_t> replaced_by; ///< `none`: not replaced
};

/// Iterates in reverse, because a unit comes after its target in the plan.
CombinedEvidence combine_evidence(const ReadPlan& plan, std::span<const double> degree, bool precedence) {
    const std::size_t count = plan.units.size();
    CombinedEvidence combined{std::vector<double>(count, 0), std::vector<std::uint32_t>(count, none)};
    std::vector<double> upstream(count, 0); ///< the sum or, with `precedence`, the strongest
    for (std::size_t u = count; u-- > 0;) {
        const PlanUnit& unit = plan.units[u];
        if (degree[u] == 0 || !unit.contributes) continue;
        const bool replaced = combined.replaced_by[u] != none;
        combined.evidence[u] = replaced ? upstream[u] : quantise(degree[u] * unit.present) + upstream[u];
        const double evidence = combined.evidence[u];
        if (unit.target == none || evidence <= 0) continue;
        const double signed_evidence = unit.is_negative ? -evidence : evidence;
        if (!precedence) {
            upstream[unit.target] += signed_evidence;
        } else if (evidence > std::abs(upstream[unit.target])) {
            upstream[unit.target] = signed_evidence;
            combined.replaced_by[unit.target] = static_cast<std::uint32_t>(u);
        }
    }
    return combined;
}

/// By class, the first-level unit with the most evidence.
std::vector<std::uint32_t> best_trees(const ReadPlan& plan, std::span<const double> degree,
                                      const CombinedEvidence& combined) {
    std::vector<std::uint32_t> best(plan.labels.size(), none);
    for (std::uint32_t u = 0; u < plan.units.size(); ++u) {
        const PlanUnit& unit = plan.units[u];
        if (unit.target != none || degree[u] == 0 || !unit.contributes) continue;
        std::uint32_t& chosen = best[unit.label];
        if (chosen == none || combined.evidence[u] > combined.evidence[chosen]) chosen = u;
    }
    return best;
}

} // namespace

std::vector<double> presence_values(const ReadPlan& plan, std::span<const double> degree, bool precedence) {
    const CombinedEvidence combined = combine_evidence(plan, degree, precedence);
    const std::vector<std::uint32_t> best = best_trees(plan, degree, combined);
    std::vector<double> values(plan.units.size(), 0);
    std::vector<double> sign(plan.units.size(), 0); ///< 0: ignored
    for (std::uint32_t u = 0; u < plan.units.size(); ++u) {
        const PlanUnit& unit = plan.units[u];
        if (degree[u] == 0 || !unit.contributes) continue;
        if (unit.target == none) {
            sign[u] = best[unit.label] == u ? 1 : 0;
        } else if (combined.evidence[u] > 0 && (!precedence || combined.replaced_by[unit.target] == u)) {
            sign[u] = unit.is_negative ? -sign[unit.target] : sign[unit.target];
        }
        if (combined.replaced_by[u] == none) values[u] = sign[u] * quantise(degree[u] * unit.present);
    }
    return values;
}

} // namespace sprig::modeller
