#include "modeller/whole_chain.h"

#include <unordered_map>
#include <utility>

namespace sprig::modeller {

match::Pattern whole_chain(const ClassModel& model, const Unit& unit) {
    std::vector<match::Pattern::Node> nodes;
    std::unordered_map<NodeSlot, std::uint32_t> index;
    const auto target = [&](const Unit& of) {
        return of.target == no_unit ? nullptr : &model.unit(of.target);
    };
    for (const Unit* at = &unit; at != nullptr; at = target(*at)) {
        for (const NodeRecord& node : at->nodes) {
            index.emplace(node.slot, static_cast<std::uint32_t>(nodes.size()));
            nodes.push_back({node.type, node.mean});
        }
    }
    std::vector<match::Pattern::Edge> edges;
    for (const Unit* at = &unit; at != nullptr; at = target(*at)) {
        for (const EdgeRecord& edge : at->edges) {
            edges.push_back({edge.layer, index.at(edge.from), index.at(edge.to), edge.mean});
        }
    }
    return {std::move(nodes), {}, std::move(edges), model.node_types()};
}

} // namespace sprig::modeller
