#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/keyed.h"
#include "modeller/class_model.h"
#include "sprig/error.h"

namespace sprig::modeller {

namespace {

void require(bool holds, const std::string& label, const Unit& unit, const char* what) {
    if (!holds) {
        throw failed(fmt::format("the model is inconsistent: unit {:016x} of class {}: {}", unit.lineage,
                                 label, what));
    }
}

} // namespace

bool ClassModel::is_downstream(UnitId below, UnitId of) const {
    for (UnitId id = of; id != no_unit; id = units_[id]->target) {
        if (id == below) return true;
    }
    return false;
}

void ClassModel::check_unit(UnitId id) const {
    const Unit& unit = *units_[id];
    const auto require_that = [&](bool holds, const char* what) { require(holds, label_, unit, what); };
    require_that(!unit.is_empty(), "it has no nodes and no edges");
    const bool top = unit.target == no_unit;
    require_that(top || is_alive(unit.target), "its target does not exist");
    require_that(!top || unit.polarity == Polarity::positive, "it is a negative unit of the class itself");
    require_that(unit.depth == (top ? 1 : units_[unit.target]->depth + 1), "its depth is wrong");
    const std::vector<UnitId>& siblings = top ? top_level_ : units_[unit.target]->upstreams;
    require_that(std::count(siblings.begin(), siblings.end(), id) == 1,
                 "it is not exactly once among the upstreams of its target");
    for (const UnitId up : unit.upstreams) {
        require_that(is_alive(up) && units_[up]->target == id, "one of its upstreams has another target");
    }
    for (const NodeRecord& node : unit.nodes) {
        require_that(node.slot < owners_.size() && owners_[node.slot] == id,
                     "it does not own one of its nodes");
        require_that(node.own.n <= node.pool.n, "a node has more observations of the class than in all");
    }
    for (const NodeSlot anchor : unit.anchors) {
        require_that(anchor < owners_.size() && is_alive(owners_[anchor]), "an anchor does not exist");
        require_that(!top && is_downstream(owners_[anchor], unit.target),
                     "an anchor is outside its downstream chain");
    }
    for (auto edge = unit.edges.begin(); edge != unit.edges.end(); ++edge) {
        const bool twice = std::any_of(unit.edges.begin(), edge,
                                       [&](const EdgeRecord& other) { return same_edge(*edge, other); });
        require_that(!twice, "it has a duplicate edge");
    }
    require_that(unit.pattern.node_count() == unit.nodes.size() &&
                     unit.pattern.anchor_count() == unit.anchors.size() &&
                     unit.pattern.edges().size() == unit.edges.size(),
                 "its compiled pattern does not match its content");
    require_that(unit.fired_own <= unit.fired && unit.fired <= observed - unit.seen_before &&
                     unit.fired_own <= own - unit.seen_own_before,
                 "it fired more often than it was tested");
}

void ClassModel::check() const {
    std::size_t alive = 0;
    std::size_t owned = 0;
    for (UnitId id = 0; id < units_.size(); ++id) {
        if (units_[id] == nullptr) continue;
        ++alive;
        owned += units_[id]->nodes.size();
        check_unit(id);
    }
    const std::size_t slots = owners_.size() - free_slots_.size();
    if (in_order().size() != alive) {
        throw failed(
            fmt::format("the model is inconsistent: class {} has units that are not reachable", label_));
    }
    if (owned != slots) {
        throw failed(fmt::format("the model is inconsistent: class {} has nodes without an owner", label_));
    }
    if (own > observed) {
        throw failed(
            fmt::format("the model is inconsistent: class {} has more own samples than samples", label_));
    }
}

std::uint64_t ClassModel::digest(const Unit& unit) const {
    std::uint64_t state = unit.lineage;
    const auto add = [&](std::uint64_t word) { state = random::mix(state, word); };
    const auto add_number = [&](double number) { add(std::bit_cast<std::uint64_t>(number)); };
    const auto add_point = [&](const Point& point) {
        for (const double coordinate : point.at) add_number(coordinate);
    };
    const auto add_moments = [&](const Moments& moments) {
        add_number(moments.n);
        add_point(moments.mean);
        add_point(moments.m2);
    };
    const auto add_axial = [&](const Axial& axial) {
        add_number(axial.n);
        add_number(axial.cosine);
        add_number(axial.sine);
    };
    add(unit.target == no_unit ? key_ : units_[unit.target]->lineage);
    for (const std::uint64_t word : {static_cast<std::uint64_t>(unit.polarity), unit.born, unit.active,
                                     unit.inactive, unit.active_at_birth, unit.target_at_birth, unit.fired,
                                     unit.fired_own, unit.seen_before, unit.seen_own_before}) {
        add(word);
    }
    for (const NodeRecord& node : unit.nodes) {
        add(node.key);
        add(node.type);
        add(node.n);
        add_point(node.mean);
        add_moments(node.own);
        add_moments(node.pool);
    }
    for (const EdgeRecord& edge : unit.edges) {
        add(key_of(edge.from));
        add(key_of(edge.to));
        add(edge.layer);
        add(edge.n);
        add_point(edge.mean);
        add_axial(edge.own);
        add_axial(edge.pool);
    }
    return state;
}

std::uint64_t ClassModel::digest() const {
    // A sum, so that a change of one unit changes only its own term.
    std::uint64_t sum = random::mix({key_, observed, own});
    for (const std::unique_ptr<Unit>& unit : units_) {
        if (unit != nullptr) sum += digest(*unit);
    }
    return sum;
}

} // namespace sprig::modeller
