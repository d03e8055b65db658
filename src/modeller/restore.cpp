#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "modeller/class_model.h"
#include "sprig/error.h"

namespace sprig::modeller {

namespace {

/// Chains are walked by functions that call themselves: longer ones are not believed.
constexpr std::uint32_t longest_chain = 1000;

[[noreturn]] void refuse(const std::string& label, const std::string& what) {
    throw bad_input(fmt::format("the kept model of class '{}' does not hang together: {}", label, what));
}

} // namespace

void ClassModel::restore(std::vector<UnitState> content, std::size_t layers) {
    *this = ClassModel(std::move(label_), node_types_);
    std::unordered_map<Lineage, UnitId> places;
    for (UnitState& state : content) {
        const auto id = static_cast<UnitId>(units_.size());
        if (!places.emplace(state.unit.lineage, id).second) refuse(label_, "a unit is there twice");
        for (NodeRecord& node : state.unit.nodes) {
            if (node.type >= node_types_) refuse(label_, "a node has a type that does not exist");
            node.slot = static_cast<NodeSlot>(owners_.size());
            owners_.push_back(id);
            keys_.push_back(node.key);
        }
        units_.push_back(std::make_unique<Unit>(std::move(state.unit)));
    }
    for (UnitId id = 0; id < units_.size(); ++id) {
        units_[id]->target = no_unit;
        if (!content[id].target) continue;
        const auto target = places.find(*content[id].target);
        if (target == places.end()) refuse(label_, "a unit's target is not there");
        units_[id]->target = target->second;
    }
    hang_up();
    join_edges(content, layers);
}

/// Tells every target who conditions it, in the order in which they came to it.
void ClassModel::hang_up() {
    std::vector<UnitId> order(units_.size());
    for (UnitId id = 0; id < order.size(); ++id) order[id] = id;
    std::sort(order.begin(), order.end(), [&](UnitId a, UnitId b) {
        return std::tie(units_[a]->attached, units_[a]->lineage) <
               std::tie(units_[b]->attached, units_[b]->lineage);
    });
    for (const UnitId id : order) siblings(*units_[id]).push_back(id);
    set_depths();
}

/// From the class outwards: units that hang on one another in a ring are never reached.
void ClassModel::set_depths() {
    std::vector<UnitId> reached = top_level_;
    for (const UnitId id : top_level_) units_[id]->depth = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const Unit& unit = *units_[reached[i]];
        if (unit.depth > longest_chain) refuse(label_, "a chain of units is too long");
        for (const UnitId up : unit.upstreams) {
            units_[up]->depth = unit.depth + 1;
            reached.push_back(up);
        }
    }
    if (reached.size() != units_.size()) refuse(label_, "units hang on one another in a ring");
}

void ClassModel::join_edges(const std::vector<UnitState>& content, std::size_t layers) {
    std::unordered_map<std::uint64_t, NodeSlot> slots;
    for (const auto& unit : units_) {
        for (const NodeRecord& node : unit->nodes) {
            if (!slots.emplace(node.key, node.slot).second) refuse(label_, "two nodes have one name");
        }
    }
    const auto slot_of = [&](std::uint64_t key) {
        const auto found = slots.find(key);
        if (found == slots.end()) refuse(label_, "an edge ends at a node that is not there");
        return found->second;
    };
    for (UnitId id = 0; id < units_.size(); ++id) {
        Unit& unit = *units_[id];
        if (content[id].ends.size() != unit.edges.size()) refuse(label_, "an edge has no ends");
        for (std::size_t e = 0; e < unit.edges.size(); ++e) {
            if (unit.edges[e].layer >= layers) refuse(label_, "an edge has a layer that does not exist");
            unit.edges[e].from = slot_of(content[id].ends[e].from);
            unit.edges[e].to = slot_of(content[id].ends[e].to);
        }
    }
    for (const auto& unit : units_) compile(*unit);
}

} // namespace sprig::modeller
