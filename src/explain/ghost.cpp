#include "explain/ghost.h"

namespace sprig::explain {

std::vector<std::array<double, 2>> ghost_of(const Addition& addition, const ScoredUnit& unit) {
    std::vector<std::array<double, 2>> line;
    if (addition.nodes.empty()) return line;
    const auto add = [&](NodeId node, const std::array<double, 2>& offset) {
        line.push_back(
            unit.contribution.pose.to_observation({unit.unit.pattern.coordinate(node, 0) + offset[0],
                                                   unit.unit.pattern.coordinate(node, 1) + offset[1]}));
    };
    add(addition.nodes.front(), unit.unit.nodes[addition.nodes.front()].to_previous);
    for (const NodeId node : addition.nodes) add(node, {0, 0});
    add(addition.nodes.back(), unit.unit.nodes[addition.nodes.back()].to_next);
    return line;
}

const ScoredUnit* unit_of(const Addition& addition, const LocalExplanation& all) {
    for (const std::optional<ScoredClass>* part : {&all.best, &all.other})
        if (*part)
            for (const ScoredUnit& one : (*part)->units)
                if (one.unit.lineage == addition.unit) return &one;
    return nullptr;
}

} // namespace sprig::explain
