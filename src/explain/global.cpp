#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/explain.h"

namespace sprig {

namespace {

void add_unit(ClassSummary& summary, const UnitView& unit) {
    ++(unit.polarity == Polarity::positive ? summary.positive : summary.negative);
    const std::size_t depth = std::max<std::size_t>(unit.depth, 1);
    if (summary.by_depth.size() < depth) summary.by_depth.resize(depth, 0);
    ++summary.by_depth[depth - 1];
    if (!unit.target) summary.observations += unit.active;
}

/// Most observed first; ties: more reliable first, then older first.
void sort_mature(std::vector<std::size_t>& mature, const std::vector<UnitView>& units) {
    std::ranges::stable_sort(mature, [&](std::size_t a, std::size_t b) {
        return std::tuple(units[b].observations(), units[b].active, units[a].born) <
               std::tuple(units[a].observations(), units[a].active, units[b].born);
    });
}

} // namespace

const ClassSummary& GlobalExplanation::class_summary(std::string_view label) const {
    const auto found = std::ranges::find(classes, label, &ClassSummary::label);
    if (found == classes.end())
        throw usage_error(
            fmt::format("the model has no class '{}'; 'sprig class MODEL list' lists its classes", label));
    return *found;
}

GlobalExplanation explain_global(const Learner& learner, const GlobalOptions& options) {
    GlobalExplanation all{.learner = std::string(learner.name()),
                          .steps = learner.steps(),
                          .maturity = options.maturity,
                          .units = learner.units(),
                          .children = {},
                          .classes = {}};
    std::map<std::string, std::size_t> class_of;
    for (const std::string& label : learner.classes()) {
        class_of.emplace(label, all.classes.size());
        all.classes.push_back({.label = label, .by_depth = {}, .mature = {}, .roots = {}});
    }
    std::map<Lineage, std::size_t> index_of;
    all.children.resize(all.units.size());
    for (std::size_t u = 0; u < all.units.size(); ++u) {
        const UnitView& unit = all.units[u];
        ClassSummary& summary = all.classes[class_of.at(unit.label)];
        index_of.emplace(unit.lineage, u);
        add_unit(summary, unit);
        if (unit.observations() >= options.maturity) summary.mature.push_back(u);
        if (unit.target)
            all.children[index_of.at(*unit.target)].push_back(u);
        else
            summary.roots.push_back(u);
    }
    for (ClassSummary& summary : all.classes) sort_mature(summary.mature, all.units);
    return all;
}

} // namespace sprig
