#include "modeller/step.h"

#include <utility>

#include "core/keyed.h"
#include "modeller/position_gate.h"

namespace sprig::modeller {

using match::unassigned;

namespace {

/// The purpose of a draw is part of its key. maintain.cpp defines the others.
constexpr std::uint64_t matching_draw = 3;

} // namespace

StepWorkspace::StepWorkspace(const ModellerParams& params)
    : full({.budget = params.search_budget}), partial(static_cast<std::size_t>(params.seeds)) {}

Step::Step(ClassModel& model, const match::Observation& observation, bool is_own, std::uint64_t number,
           std::uint64_t seed, const ModellerParams& params, StepWorkspace& workspace)
    : model_(model), observation_(observation), is_own_(is_own), number_(number), seed_(seed),
      params_(params), workspace_(workspace) {}

LearnReport Step::run() {
    workspace_.states.assign(model_.capacity(), State::unobserved);
    workspace_.placed_at.assign(model_.slot_count(), unassigned);
    workspace_.reliability.assign(model_.capacity(), 1);
    model_.begin_step();
    ++model_.observed;
    if (is_own_) ++model_.own;
    const std::vector<UnitId> top_level = model_.top_level();
    for (const UnitId id : top_level) process(id);
    generate();
    update_statistics();
    maintain();
    report_.events = std::move(model_.events);
    return report_;
}

State Step::target_state(const Unit& unit) const {
    if (unit.target == no_unit) return is_own_ ? State::active : State::inactive;
    return workspace_.states[unit.target];
}

bool Step::is_conditioned(const Unit& unit) const {
    return target_state(unit) == (unit.polarity == Polarity::positive ? State::active : State::inactive);
}

std::uint32_t Step::count_upstream(const Unit& unit) const {
    std::uint32_t count = 0;
    for (const UnitId up : unit.upstreams) count += 1 + count_upstream(model_.unit(up));
    return count;
}

void Step::process(UnitId id) {
    ++report_.work.reached;
    workspace_.reliability[id] = model_.unit(id).reliability();
    if (!match(id)) {
        report_.work.skipped += count_upstream(model_.unit(id));
        return;
    }
    const Unit& unit = model_.unit(id);
    workspace_.states[id] = is_conditioned(unit) ? State::active : State::inactive;
    if (unit.upstreams.empty()) return;
    if (workspace_.used.size() <= unit.depth) workspace_.used.resize(unit.depth + 1);
    std::vector<std::uint64_t>& used = workspace_.used[unit.depth];
    if (unit.depth == 1) {
        used.assign(observation_.words(), 0);
    } else {
        used = workspace_.used[unit.depth - 1];
    }
    for (const NodeRecord& node : unit.nodes) {
        const std::uint32_t at = workspace_.placed_at[node.slot];
        used[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    const std::vector<UnitId> above = unit.upstreams;
    for (const UnitId up : above) {
        // A residual that was split off in this step is the part that did not match.
        if (model_.unit(up).born == number_) continue;
        process(up);
    }
}

match::Query Step::query_for(const Unit& unit) {
    workspace_.pins.clear();
    for (const NodeSlot anchor : unit.anchors) workspace_.pins.push_back(workspace_.placed_at[anchor]);
    match::Query query{unit.pattern, observation_, workspace_.pins, {}, params_.max_error};
    if (unit.depth > 1) query.used = workspace_.used[unit.depth - 1];
    return query;
}

/// Matches a unit in full, refining it if that is allowed, and stores the assignment of its nodes.
bool Step::match(UnitId id) {
    const Unit& unit = model_.unit(id);
    const match::Query query = query_for(unit);
    bool full = workspace_.full(query, workspace_.placed, report_.work);
    const bool every_node = params_.position_gate == ModellerParams::PositionGate::nodes;
    if (full && is_gated(params_) &&
        !is_at_typical_position(typical_positions(unit), observation_, workspace_.placed, every_node)) {
        return false;
    }
    if (!full) full = refine(id, query, is_conditioned(unit));
    if (!full) return false;
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        workspace_.placed_at[unit.nodes[i].slot] = workspace_.placed[i];
    }
    return true;
}

const match::PartialMatch& Step::match_partially(const Unit& unit, const match::Query& query) {
    if (params_.growth == ModellerParams::Growth::greedy) return workspace_.partial(query, report_.work);
    return workspace_.population(query, report_.work,
                                 random::mix({seed_, model_.key(), number_, unit.lineage, matching_draw}));
}

/// Cuts a unit that matches in part down to the part that matches, if its target is in the state that the
/// unit conditions. Returns true if it did; the assignment of the remaining nodes is then in
/// `workspace_.placed`.
bool Step::refine(UnitId id, const match::Query& query, bool conditioned) {
    const Unit& unit = model_.unit(id);
    const bool top = unit.target == no_unit;
    const double reliability = workspace_.reliability[id];
    if (!conditioned || (!top && reliability < params_.refine_reliability)) return false;
    const match::PartialMatch& match = match_partially(unit, query);
    if (match.degree < params_.match_threshold) return false;
    KeepFlags keep;
    workspace_.placed.clear();
    for (const std::uint32_t at : match.placed) {
        keep.nodes.push_back(at != unassigned);
        if (at != unassigned) workspace_.placed.push_back(at);
    }
    for (const match::Pattern::Edge& edge : unit.pattern.edges()) {
        keep.edges.push_back(match::edge_is_placed(query, match.placed, edge));
    }
    using Residuals = ModellerParams::Residuals;
    const bool keep_residual =
        top && (params_.residuals == Residuals::always || (params_.residuals == Residuals::while_unreliable &&
                                                           reliability < params_.spawn_reliability));
    if (keep_residual) {
        const UnitId rest = model_.split(id, keep, number_);
        model_.mutable_unit(rest).seen_before = model_.observed - 1;
        model_.mutable_unit(rest).seen_own_before = model_.own - (is_own_ ? 1 : 0);
        resize_workspace();
    } else {
        model_.shrink(id, keep);
    }
    return true;
}

void Step::resize_workspace() {
    workspace_.states.resize(model_.capacity(), State::unobserved);
    workspace_.reliability.resize(model_.capacity(), 1);
    workspace_.placed_at.resize(model_.slot_count(), unassigned);
}

void Step::update_statistics() {
    for (const UnitId id : model_.in_order()) {
        if (workspace_.states[id] != State::unobserved)
            update_unit(model_.mutable_unit(id), workspace_.states[id]);
    }
}

void Step::update_unit(Unit& unit, State state) {
    const bool active = state == State::active;
    ++(active ? unit.active : unit.inactive);
    ++unit.fired;
    if (is_own_) ++unit.fired_own;
    const UpdateFlags flags{.own = is_own_, .mean = active || !params_.means_of_active_only};
    const auto position_of = [&](NodeSlot slot) -> const Point& {
        return observation_.position(workspace_.placed_at[slot]);
    };
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        NodeRecord& node = unit.nodes[i];
        update(node, position_of(node.slot), flags);
        if (flags.mean) unit.pattern.set_position(i, node.mean);
    }
    for (std::size_t e = 0; e < unit.edges.size(); ++e) {
        EdgeRecord& edge = unit.edges[e];
        update(edge, position_of(edge.to) - position_of(edge.from), flags);
        if (flags.mean) unit.pattern.set_displacement(e, edge.mean);
    }
}

} // namespace sprig::modeller
