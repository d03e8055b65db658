#include <algorithm>

#include "modeller/position_gate.h"
#include "modeller/step.h"

namespace sprig::modeller {

using match::unassigned;

bool Step::has_active_upstream(const Unit& unit, Polarity polarity) const {
    return std::any_of(unit.upstreams.begin(), unit.upstreams.end(), [&](UnitId up) {
        return model_.unit(up).polarity == polarity && workspace_.states[up] == State::active;
    });
}

/// Creates units for what the traversal did not account for.
void Step::generate() {
    const std::vector<UnitId> before = model_.in_order();
    const bool is_matched = std::any_of(model_.top_level().begin(), model_.top_level().end(),
                                        [&](UnitId id) { return workspace_.states[id] == State::active; });
    for (const UnitId id : before) {
        const Unit& unit = model_.unit(id);
        if (workspace_.reliability[id] >= params_.spawn_reliability) continue;
        if (workspace_.states[id] == State::active && !has_active_upstream(unit, Polarity::positive)) {
            generate_upstream(id, Birth::positive);
        }
        if (workspace_.states[id] == State::inactive && params_.suppressors &&
            !has_active_upstream(unit, Polarity::negative)) {
            generate_upstream(id, Birth::negative);
        }
    }
    if (is_own_ && !is_matched) {
        const UnitContent content = whole_observation();
        if (!content.is_empty())
            initialise_unit(model_.create_unit(no_unit, Birth::positive, number_, content), content);
    }
}

void Step::generate_upstream(UnitId target, Birth birth) {
    if (birth == Birth::negative && params_.position_gate == ModellerParams::PositionGate::suppressors) {
        const Unit& unit = model_.unit(target);
        std::vector<std::uint32_t> placed;
        for (const NodeRecord& node : unit.nodes) placed.push_back(workspace_.placed_at[node.slot]);
        // The geometry already tells the two classes apart.
        if (!is_at_typical_position(typical_positions(unit), observation_, placed, false)) return;
    }
    const UnitContent content = remainder(target);
    if (!content.is_empty()) initialise_unit(model_.create_unit(target, birth, number_, content), content);
}

/// A new unit is active in the observation from which it was created.
void Step::initialise_unit(UnitId id, const UnitContent& content) {
    resize_workspace();
    Unit& unit = model_.mutable_unit(id);
    unit.seen_before = model_.observed - 1;
    unit.seen_own_before = model_.own - (is_own_ ? 1 : 0);
    unit.target_at_birth = model_.target_count(unit);
    workspace_.states[id] = State::active;
    // In `content`, the slot of a node is the index of the observed node.
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        workspace_.placed_at[unit.nodes[i].slot] = content.nodes[i].slot;
    }
}

namespace {

NodeRecord node_from(const match::Observation& observation, std::uint32_t at) {
    NodeRecord node = new_node(observation.type(at), observation.position(at));
    node.slot = at;
    return node;
}

} // namespace

UnitContent Step::whole_observation() const {
    UnitContent content;
    for (std::uint32_t i = 0; i < observation_.node_count(); ++i) {
        content.nodes.push_back(node_from(observation_, i));
    }
    for (const match::Observation::Edge& edge : observation_.sorted_edges()) {
        content.edges.push_back({edge.from, edge.to, edge.layer,
                                 observation_.position(edge.to) - observation_.position(edge.from)});
    }
    return content;
}

/// The part of the observation that a unit and its downstream chain do not cover: nodes, edges at these
/// nodes, and edges between covered nodes to which no edge of the chain is assigned.
UnitContent Step::remainder(UnitId target) const {
    constexpr NodeSlot uncovered = unassigned;
    std::vector<NodeSlot> covered_by(observation_.node_count(), uncovered);
    std::vector<match::Observation::Edge> covered;
    for (UnitId id = target; id != no_unit; id = model_.unit(id).target) {
        const Unit& unit = model_.unit(id);
        for (const NodeRecord& node : unit.nodes) covered_by[workspace_.placed_at[node.slot]] = node.slot;
        for (const EdgeRecord& edge : unit.edges) {
            covered.push_back({edge.layer, workspace_.placed_at[edge.from], workspace_.placed_at[edge.to]});
        }
    }
    std::sort(covered.begin(), covered.end());

    UnitContent content;
    std::vector<std::uint32_t> end(observation_.node_count(), unassigned);
    for (std::uint32_t i = 0; i < observation_.node_count(); ++i) {
        if (covered_by[i] != uncovered) continue;
        end[i] = static_cast<std::uint32_t>(content.nodes.size());
        content.nodes.push_back(node_from(observation_, i));
    }
    const auto end_of = [&](std::uint32_t at) {
        if (end[at] == unassigned) {
            end[at] = static_cast<std::uint32_t>(content.nodes.size() + content.anchors.size());
            content.anchors.push_back(covered_by[at]);
        }
        return end[at];
    };
    for (const match::Observation::Edge& edge : observation_.sorted_edges()) {
        if (std::binary_search(covered.begin(), covered.end(), edge)) continue;
        const std::uint32_t from = end_of(edge.from);
        const std::uint32_t to = end_of(edge.to);
        content.edges.push_back(
            {from, to, edge.layer, observation_.position(edge.to) - observation_.position(edge.from)});
    }
    return content;
}

} // namespace sprig::modeller
