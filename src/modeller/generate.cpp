#include <algorithm>

#include "modeller/position_gate.h"
#include "modeller/step.h"

namespace sprig::modeller {

using match::nowhere;

bool Step::has_active_upstream(const Unit& unit, Polarity polarity) const {
    return std::any_of(unit.upstreams.begin(), unit.upstreams.end(), [&](UnitId up) {
        return model_.unit(up).polarity == polarity && memory_.states[up] == State::active;
    });
}

/// Makes units for what the traversal left unexplained.
void Step::generate() {
    const std::vector<UnitId> before = model_.in_order();
    const bool explained = std::any_of(model_.top_level().begin(), model_.top_level().end(),
                                       [&](UnitId id) { return memory_.states[id] == State::active; });
    for (const UnitId id : before) {
        const Unit& unit = model_.unit(id);
        if (memory_.reliability[id] >= params_.spawn_reliability) continue;
        if (memory_.states[id] == State::active && !has_active_upstream(unit, Polarity::positive)) {
            generate_upstream(id, Birth::positive);
        }
        if (memory_.states[id] == State::inactive && params_.suppressors &&
            !has_active_upstream(unit, Polarity::negative)) {
            generate_upstream(id, Birth::negative);
        }
    }
    if (is_own_ && !explained) {
        const Source source = whole_observation();
        if (!source.is_empty())
            settle_newborn(model_.grow(no_unit, Birth::positive, number_, source), source);
    }
}

void Step::generate_upstream(UnitId target, Birth birth) {
    if (birth == Birth::negative && params_.position_gate == ModellerParams::PositionGate::suppressors) {
        const Unit& unit = model_.unit(target);
        std::vector<std::uint32_t> placed;
        for (const NodeRecord& node : unit.nodes) placed.push_back(memory_.placed_at[node.slot]);
        // The geometry tells the two apart already.
        if (!lies_in_place(usual_places(unit), observation_, placed, false)) return;
    }
    const Source source = remainder(target);
    if (!source.is_empty()) settle_newborn(model_.grow(target, birth, number_, source), source);
}

/// A new unit is there in the very observation it was made from.
void Step::settle_newborn(UnitId id, const Source& source) {
    grow_memory();
    Unit& unit = model_.change(id);
    unit.seen_before = model_.observed - 1;
    unit.seen_own_before = model_.own - (is_own_ ? 1 : 0);
    unit.target_at_birth = model_.target_count(unit);
    memory_.states[id] = State::active;
    // `remainder` and `whole_observation` name the observed node in the slot, until there is a real one.
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        memory_.placed_at[unit.nodes[i].slot] = source.nodes[i].slot;
    }
}

namespace {

NodeRecord node_from(const match::Observation& observation, std::uint32_t at) {
    NodeRecord node = new_node(observation.type(at), observation.position(at));
    node.slot = at;
    return node;
}

} // namespace

Source Step::whole_observation() const {
    Source source;
    for (std::uint32_t i = 0; i < observation_.node_count(); ++i) {
        source.nodes.push_back(node_from(observation_, i));
    }
    for (const match::Observation::Edge& edge : observation_.sorted_edges()) {
        source.edges.push_back({edge.from, edge.to, edge.layer,
                                observation_.position(edge.to) - observation_.position(edge.from)});
    }
    return source;
}

/// What of the observation a unit and its downstream chain do not cover: nodes, edges that touch them, and
/// edges among covered nodes that no edge of the chain lies on.
Source Step::remainder(UnitId target) const {
    constexpr NodeSlot uncovered = nowhere;
    std::vector<NodeSlot> covered_by(observation_.node_count(), uncovered);
    std::vector<match::Observation::Edge> covered;
    for (UnitId id = target; id != no_unit; id = model_.unit(id).target) {
        const Unit& unit = model_.unit(id);
        for (const NodeRecord& node : unit.nodes) covered_by[memory_.placed_at[node.slot]] = node.slot;
        for (const EdgeRecord& edge : unit.edges) {
            covered.push_back({edge.layer, memory_.placed_at[edge.from], memory_.placed_at[edge.to]});
        }
    }
    std::sort(covered.begin(), covered.end());

    Source source;
    std::vector<std::uint32_t> end(observation_.node_count(), nowhere);
    for (std::uint32_t i = 0; i < observation_.node_count(); ++i) {
        if (covered_by[i] != uncovered) continue;
        end[i] = static_cast<std::uint32_t>(source.nodes.size());
        source.nodes.push_back(node_from(observation_, i));
    }
    const auto end_of = [&](std::uint32_t at) {
        if (end[at] == nowhere) {
            end[at] = static_cast<std::uint32_t>(source.nodes.size() + source.anchors.size());
            source.anchors.push_back(covered_by[at]);
        }
        return end[at];
    };
    for (const match::Observation::Edge& edge : observation_.sorted_edges()) {
        if (std::binary_search(covered.begin(), covered.end(), edge)) continue;
        const std::uint32_t from = end_of(edge.from);
        const std::uint32_t to = end_of(edge.to);
        source.edges.push_back(
            {from, to, edge.layer, observation_.position(edge.to) - observation_.position(edge.from)});
    }
    return source;
}

} // namespace sprig::modeller
