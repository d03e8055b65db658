#include "modeller/class_model.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/keyed.h"

namespace sprig::modeller {

ClassModel::ClassModel(std::string label, std::size_t node_types)
    : label_(std::move(label)), key_(random::mix(label_)), node_types_(node_types) {}

void ClassModel::begin_step() {
    events.clear();
    for (const UnitId id : changed()) units_[id]->changed = false;
    changed_.clear();
    erased_.clear();
}

void ClassModel::mark_changed(Unit& unit, UnitId id) {
    if (!unit.changed) changed_.push_back(id);
    unit.changed = true;
}

Unit& ClassModel::mutable_unit(UnitId id) {
    Unit& unit = *units_[id];
    mark_changed(unit, id);
    return unit;
}

std::vector<UnitId> ClassModel::changed() const {
    std::vector<UnitId> ids = changed_;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::erase_if(ids, [&](UnitId id) { return units_[id] == nullptr || !units_[id]->changed; });
    return ids;
}

std::uint64_t ClassModel::target_count(const Unit& unit) const {
    if (unit.target == no_unit) return own;
    const Unit& target = *units_[unit.target];
    return unit.polarity == Polarity::positive ? target.active : target.inactive;
}

std::vector<UnitId> ClassModel::in_order() const {
    std::vector<UnitId> order;
    append_in_order(top_level_, order);
    return order;
}

void ClassModel::append_in_order(std::vector<UnitId> siblings, std::vector<UnitId>& order) const {
    std::sort(siblings.begin(), siblings.end(), [&](UnitId a, UnitId b) {
        return std::tie(units_[a]->born, units_[a]->lineage) < std::tie(units_[b]->born, units_[b]->lineage);
    });
    for (const UnitId id : siblings) {
        order.push_back(id);
        append_in_order(units_[id]->upstreams, order);
    }
}

std::vector<UnitId>& ClassModel::siblings(const Unit& unit) {
    return unit.target == no_unit ? top_level_ : units_[unit.target]->upstreams;
}

UnitId ClassModel::insert_unit(Unit unit) {
    if (free_units_.empty()) {
        // With `scatter_`, more than are needed, so that there is a choice.
        const std::size_t more = scatter_ == 0 ? 1 : 7;
        for (std::size_t i = 0; i < more; ++i) {
            free_units_.push_back(static_cast<UnitId>(units_.size()));
            units_.emplace_back();
        }
    }
    const std::size_t pick =
        scatter_ == 0 ? free_units_.size() - 1 : random::mix(scatter_, unit.lineage) % free_units_.size();
    const UnitId id = free_units_[pick];
    free_units_.erase(free_units_.begin() + static_cast<std::ptrdiff_t>(pick));
    units_[id] = std::make_unique<Unit>(std::move(unit));
    mark_changed(*units_[id], id);
    append_to_siblings(id);
    return id;
}

NodeSlot ClassModel::allocate_slot(UnitId owner) {
    if (free_slots_.empty()) {
        const std::size_t more = scatter_ == 0 ? 1 : 11;
        for (std::size_t i = 0; i < more; ++i) {
            free_slots_.push_back(static_cast<NodeSlot>(owners_.size()));
            owners_.push_back(no_unit);
        }
    }
    const std::size_t pick = scatter_ == 0
                                 ? free_slots_.size() - 1
                                 : random::mix({scatter_, owner, free_slots_.size()}) % free_slots_.size();
    keys_.resize(owners_.size());
    const NodeSlot slot = free_slots_[pick];
    free_slots_.erase(free_slots_.begin() + static_cast<std::ptrdiff_t>(pick));
    owners_[slot] = owner;
    return slot;
}

void ClassModel::add_event(UnitEvent::Kind kind, const Unit& unit) {
    UnitEvent event{kind, unit.lineage, {}};
    if (unit.target != no_unit) event.target = units_[unit.target]->lineage;
    events.push_back(event);
}

void ClassModel::set_depth(UnitId id, std::uint32_t depth) {
    units_[id]->depth = depth;
    for (const UnitId up : units_[id]->upstreams) set_depth(up, depth + 1);
}

void ClassModel::attach(UnitId id, UnitId target) {
    Unit& unit = mutable_unit(id);
    unit.target = target;
    append_to_siblings(id);
    set_depth(id, target == no_unit ? 1 : units_[target]->depth + 1);
    unit.active_at_birth = unit.active;
    unit.target_at_birth = target_count(unit);
}

/// The position follows from stored state only, so that a restored model behaves the same.
void ClassModel::append_to_siblings(UnitId id) {
    std::vector<UnitId>& others = siblings(*units_[id]);
    units_[id]->attached = others.empty() ? 1 : units_[others.back()]->attached + 1;
    others.push_back(id);
}

void ClassModel::detach(UnitId id) {
    std::erase(siblings(*units_[id]), id);
}

/// Builds the pattern of a unit and determines which ends of its edges are anchors.
void ClassModel::compile(Unit& unit) {
    // By slot: index of the node in the pattern. Reused between calls; all entries are unassigned on return.
    ends_.resize(owners_.size(), match::unassigned);
    std::vector<match::Pattern::Node> nodes;
    nodes.reserve(unit.nodes.size());
    for (const NodeRecord& node : unit.nodes) {
        ends_[node.slot] = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back({node.type, node.mean});
    }
    unit.anchors.clear();
    std::vector<std::uint32_t> anchor_types;
    const auto end_of = [&](NodeSlot slot) {
        if (ends_[slot] == match::unassigned) {
            ends_[slot] = static_cast<std::uint32_t>(unit.nodes.size() + unit.anchors.size());
            unit.anchors.push_back(slot);
            anchor_types.push_back(record(slot).type);
        }
        return ends_[slot];
    };
    std::vector<match::Pattern::Edge> edges;
    edges.reserve(unit.edges.size());
    for (const EdgeRecord& edge : unit.edges) {
        const std::uint32_t from = end_of(edge.from);
        const std::uint32_t to = end_of(edge.to);
        edges.push_back({edge.layer, from, to, edge.mean});
    }
    for (const NodeRecord& node : unit.nodes) ends_[node.slot] = match::unassigned;
    for (const NodeSlot anchor : unit.anchors) ends_[anchor] = match::unassigned;
    unit.pattern = match::Pattern(std::move(nodes), anchor_types, std::move(edges), node_types_);
}

const NodeRecord& ClassModel::record(NodeSlot slot) const {
    const std::vector<NodeRecord>& nodes = units_[owners_[slot]]->nodes;
    return *std::find_if(nodes.begin(), nodes.end(),
                         [&](const NodeRecord& node) { return node.slot == slot; });
}

UnitId ClassModel::create_unit(UnitId target, Birth birth, std::uint64_t step, const UnitContent& content) {
    Unit unit;
    unit.lineage = random::mix(
        {target == no_unit ? key_ : units_[target]->lineage, step, static_cast<std::uint64_t>(birth)});
    unit.target = target;
    unit.polarity = birth == Birth::negative ? Polarity::negative : Polarity::positive;
    unit.depth = target == no_unit ? 1 : units_[target]->depth + 1;
    unit.born = step;
    const UnitId id = insert_unit(std::move(unit));
    Unit& created = *units_[id];
    created.nodes = content.nodes;
    for (std::size_t i = 0; i < created.nodes.size(); ++i) {
        created.nodes[i].slot = allocate_slot(id);
        created.nodes[i].key = node_key(created.lineage, i);
        keys_[created.nodes[i].slot] = created.nodes[i].key;
    }
    const auto slot_of = [&](std::uint32_t end) {
        return end < created.nodes.size() ? created.nodes[end].slot
                                          : content.anchors[end - created.nodes.size()];
    };
    for (const UnitContent::Edge& edge : content.edges) {
        EdgeRecord record = new_edge(edge.layer, edge.displacement);
        record.from = slot_of(edge.from);
        record.to = slot_of(edge.to);
        created.edges.push_back(record);
    }
    compile(created);
    add_event(UnitEvent::Kind::created, created);
    return id;
}

UnitId ClassModel::split(UnitId id, const KeepFlags& keep, std::uint64_t step) {
    Unit rest;
    rest.lineage = random::mix({units_[id]->lineage, step, static_cast<std::uint64_t>(Birth::residual)});
    rest.target = id;
    rest.depth = units_[id]->depth + 1;
    rest.born = step;
    std::vector<UnitId> above = std::exchange(units_[id]->upstreams, {});
    const UnitId rest_id = insert_unit(std::move(rest));
    Unit& lower = mutable_unit(id);
    Unit& upper = *units_[rest_id];
    std::vector<NodeRecord> nodes;
    for (std::size_t i = 0; i < lower.nodes.size(); ++i) {
        if (keep.nodes[i]) {
            nodes.push_back(lower.nodes[i]);
        } else {
            owners_[lower.nodes[i].slot] = rest_id;
            upper.nodes.push_back(lower.nodes[i]);
        }
    }
    std::vector<EdgeRecord> edges;
    for (std::size_t e = 0; e < lower.edges.size(); ++e) {
        (keep.edges[e] ? edges : upper.edges).push_back(lower.edges[e]);
    }
    lower.nodes = std::move(nodes);
    lower.edges = std::move(edges);
    compile(lower);
    compile(upper);
    // It matched whenever the whole unit did, so it inherits the history.
    upper.active = lower.active;
    upper.inactive = lower.inactive;
    upper.active_at_birth = upper.active;
    upper.target_at_birth = lower.active;
    for (const UnitId up : above) attach(up, rest_id);
    add_event(UnitEvent::Kind::refined, lower);
    add_event(UnitEvent::Kind::spawned, upper);
    return rest_id;
}

void ClassModel::shrink(UnitId id, const KeepFlags& keep) {
    Unit& unit = mutable_unit(id);
    add_event(UnitEvent::Kind::refined, unit);
    std::vector<NodeSlot> gone;
    std::vector<NodeRecord> nodes;
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        if (keep.nodes[i]) {
            nodes.push_back(unit.nodes[i]);
        } else {
            gone.push_back(unit.nodes[i].slot);
        }
    }
    std::vector<EdgeRecord> edges;
    for (std::size_t e = 0; e < unit.edges.size(); ++e) {
        if (keep.edges[e]) edges.push_back(unit.edges[e]);
    }
    unit.nodes = std::move(nodes);
    unit.edges = std::move(edges);
    compile(unit);
    if (gone.empty()) return;
    std::sort(gone.begin(), gone.end());
    const std::vector<UnitId> above = unit.upstreams;
    for (const UnitId up : above) remove_edges_to(up, gone);
    for (const NodeSlot slot : gone) {
        owners_[slot] = no_unit;
        free_slots_.push_back(slot);
    }
}

/// Removes the edges to deleted nodes from a unit and from all units upstream of it.
void ClassModel::remove_edges_to(UnitId id, const std::vector<NodeSlot>& gone) {
    const auto is_gone = [&](NodeSlot slot) { return std::binary_search(gone.begin(), gone.end(), slot); };
    const std::vector<UnitId> above = units_[id]->upstreams;
    for (const UnitId up : above) remove_edges_to(up, gone);
    Unit& unit = *units_[id];
    const std::size_t erased = std::erase_if(
        unit.edges, [&](const EdgeRecord& edge) { return is_gone(edge.from) || is_gone(edge.to); });
    if (erased == 0) return;
    mark_changed(unit, id);
    compile(unit);
    if (unit.is_empty()) dissolve(id);
}

/// Removes a unit that has no content left. Such a unit matches whenever its target does, so its upstreams
/// can condition the target instead. If the unit is negative, it is active when its target is not, so the
/// polarities of its upstreams flip.
void ClassModel::dissolve(UnitId id) {
    add_event(UnitEvent::Kind::dissolved, *units_[id]);
    const bool flip = units_[id]->polarity == Polarity::negative;
    const UnitId target = units_[id]->target;
    const std::vector<UnitId> above = std::exchange(units_[id]->upstreams, {});
    for (const UnitId up : above) {
        if (flip) {
            Polarity& polarity = units_[up]->polarity;
            polarity = polarity == Polarity::positive ? Polarity::negative : Polarity::positive;
        }
        attach(up, target);
    }
    detach(id);
    erase(id);
}

void ClassModel::erase(UnitId id) {
    for (const NodeRecord& node : units_[id]->nodes) {
        if (owners_[node.slot] != id) continue;
        owners_[node.slot] = no_unit;
        free_slots_.push_back(node.slot);
    }
    erased_.push_back(units_[id]->lineage);
    units_[id].reset();
    free_units_.push_back(id);
}

void ClassModel::remove(UnitId id) {
    const std::vector<UnitId> above = units_[id]->upstreams;
    for (const UnitId up : above) remove(up);
    add_event(UnitEvent::Kind::removed, *units_[id]);
    detach(id);
    erase(id);
}

void ClassModel::merge(UnitId id) {
    const UnitId target = units_[id]->target;
    Unit& upper = *units_[id];
    Unit& lower = mutable_unit(target);
    add_event(UnitEvent::Kind::reintegrated, upper);
    for (const NodeRecord& node : upper.nodes) {
        owners_[node.slot] = target;
        lower.nodes.push_back(node);
    }
    for (const EdgeRecord& edge : upper.edges) {
        // A sibling with the same edge may already have been merged.
        const auto is_same = [&](const EdgeRecord& other) { return same_edge(edge, other); };
        if (std::none_of(lower.edges.begin(), lower.edges.end(), is_same)) lower.edges.push_back(edge);
    }
    compile(lower);
    const std::vector<UnitId> above = std::exchange(upper.upstreams, {});
    detach(id);
    for (const UnitId up : above) attach(up, target);
    erase(id);
}

} // namespace sprig::modeller
