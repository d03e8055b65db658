#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "modeller/class_model.h"
#include "sprig/error.h"

namespace sprig::modeller {

namespace {

/// Chains are traversed recursively; longer ones could overflow the stack.
constexpr std::uint32_t max_chain_length = 1000;

[[noreturn]] void reject(const std::string& label, const std::string& what) {
    throw bad_input(fmt::format("the stored model of class '{}' is inconsistent: {}", label, what));
}

} // namespace

void ClassModel::restore(std::vector<UnitState> content, std::size_t layers) {
    *this = ClassModel(std::move(label_), node_types_);
    std::unordered_map<Lineage, UnitId> ids;
    for (UnitState& state : content) {
        const auto id = static_cast<UnitId>(units_.size());
        if (!ids.emplace(state.unit.lineage, id).second) reject(label_, "duplicate unit");
        for (NodeRecord& node : state.unit.nodes) {
            if (node.type >= node_types_) reject(label_, "a node has an unknown type");
            node.slot = static_cast<NodeSlot>(owners_.size());
            owners_.push_back(id);
            keys_.push_back(node.key);
        }
        units_.push_back(std::make_unique<Unit>(std::move(state.unit)));
    }
    for (UnitId id = 0; id < units_.size(); ++id) {
        units_[id]->target = no_unit;
        if (!content[id].target) continue;
        const auto target = ids.find(*content[id].target);
        if (target == ids.end()) reject(label_, "the target of a unit does not exist");
        units_[id]->target = target->second;
    }
    link_upstreams();
    link_edges(content, layers);
}

/// Sets the upstreams of every unit, in the order they were attached.
void ClassModel::link_upstreams() {
    std::vector<UnitId> order(units_.size());
    for (UnitId id = 0; id < order.size(); ++id) order[id] = id;
    std::sort(order.begin(), order.end(), [&](UnitId a, UnitId b) {
        return std::tie(units_[a]->attached, units_[a]->lineage) <
               std::tie(units_[b]->attached, units_[b]->lineage);
    });
    for (const UnitId id : order) siblings(*units_[id]).push_back(id);
    set_depths();
}

/// Starts at the first level, so units in a cycle are not reached.
void ClassModel::set_depths() {
    std::vector<UnitId> reached = top_level_;
    for (const UnitId id : top_level_) units_[id]->depth = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const Unit& unit = *units_[reached[i]];
        if (unit.depth > max_chain_length) reject(label_, "a chain of units is too long");
        for (const UnitId up : unit.upstreams) {
            units_[up]->depth = unit.depth + 1;
            reached.push_back(up);
        }
    }
    if (reached.size() != units_.size()) reject(label_, "units condition one another in a cycle");
}

void ClassModel::link_edges(const std::vector<UnitState>& content, std::size_t layers) {
    std::unordered_map<std::uint64_t, NodeSlot> slots;
    for (const auto& unit : units_) {
        for (const NodeRecord& node : unit->nodes) {
            if (!slots.emplace(node.key, node.slot).second) reject(label_, "two nodes have the same key");
        }
    }
    const auto slot_of = [&](std::uint64_t key) {
        const auto found = slots.find(key);
        if (found == slots.end()) reject(label_, "an edge refers to a node that does not exist");
        return found->second;
    };
    for (UnitId id = 0; id < units_.size(); ++id) {
        Unit& unit = *units_[id];
        if (content[id].ends.size() != unit.edges.size()) reject(label_, "an edge has no ends");
        for (std::size_t e = 0; e < unit.edges.size(); ++e) {
            if (unit.edges[e].layer >= layers) reject(label_, "an edge has an unknown layer");
            unit.edges[e].from = slot_of(content[id].ends[e].from);
            unit.edges[e].to = slot_of(content[id].ends[e].to);
        }
    }
    for (const auto& unit : units_) compile(*unit);
}

} // namespace sprig::modeller
