#include "modeller/step.h"

#include <utility>

#include "modeller/position_gate.h"
#include "core/keyed.h"

namespace sprig::modeller {

using match::nowhere;

namespace {

/// What a random number is for is part of its key; maintain.cpp has others.
constexpr std::uint64_t matching_draw = 3;

} // namespace

StepMemory::StepMemory(const ModellerParams& params)
    : full({.budget = params.search_budget}), partial(static_cast<std::size_t>(params.seeds)) {}

Step::Step(ClassModel& model, const match::Observation& observation, bool is_own, std::uint64_t number,
           std::uint64_t seed, const ModellerParams& params, StepMemory& memory)
    : model_(model), observation_(observation), is_own_(is_own), number_(number), seed_(seed),
      params_(params), memory_(memory) {}

LearnReport Step::run() {
    memory_.states.assign(model_.capacity(), State::unobserved);
    memory_.placed_at.assign(model_.slot_count(), nowhere);
    memory_.reliability.assign(model_.capacity(), 1);
    model_.begin_step();
    ++model_.observed;
    if (is_own_) ++model_.own;
    const std::vector<UnitId> top_level = model_.top_level();
    for (const UnitId id : top_level) process(id);
    generate();
    fold();
    maintain();
    report_.events = std::move(model_.events);
    return report_;
}

State Step::target_state(const Unit& unit) const {
    if (unit.target == no_unit) return is_own_ ? State::active : State::inactive;
    return memory_.states[unit.target];
}

bool Step::is_conditioned(const Unit& unit) const {
    return target_state(unit) == (unit.polarity == Polarity::positive ? State::active : State::inactive);
}

std::uint32_t Step::count_above(const Unit& unit) const {
    std::uint32_t count = 0;
    for (const UnitId up : unit.upstreams) count += 1 + count_above(model_.unit(up));
    return count;
}

void Step::process(UnitId id) {
    ++report_.work.reached;
    memory_.reliability[id] = model_.unit(id).reliability();
    if (!match(id)) {
        report_.work.skipped += count_above(model_.unit(id));
        return;
    }
    const Unit& unit = model_.unit(id);
    memory_.states[id] = is_conditioned(unit) ? State::active : State::inactive;
    if (unit.upstreams.empty()) return;
    if (memory_.used.size() <= unit.depth) memory_.used.resize(unit.depth + 1);
    std::vector<std::uint64_t>& used = memory_.used[unit.depth];
    if (unit.depth == 1) {
        used.assign(observation_.words(), 0);
    } else {
        used = memory_.used[unit.depth - 1];
    }
    for (const NodeRecord& node : unit.nodes) {
        const std::uint32_t at = memory_.placed_at[node.slot];
        used[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    const std::vector<UnitId> above = unit.upstreams;
    for (const UnitId up : above) {
        // A residual that was split off just now lacks something by its nature.
        if (model_.unit(up).born == number_) continue;
        process(up);
    }
}

match::Query Step::query_for(const Unit& unit) {
    memory_.pins.clear();
    for (const NodeSlot anchor : unit.anchors) memory_.pins.push_back(memory_.placed_at[anchor]);
    match::Query query{unit.pattern, observation_, memory_.pins, {}, params_.max_error};
    if (unit.depth > 1) query.used = memory_.used[unit.depth - 1];
    return query;
}

/// Places a unit in full, refining it if it may be, and remembers where its nodes lie.
bool Step::match(UnitId id) {
    const Unit& unit = model_.unit(id);
    const match::Query query = query_for(unit);
    bool full = memory_.full(query, memory_.placed, report_.work);
    const bool every_node = params_.position_gate == ModellerParams::PositionGate::nodes;
    if (full && is_gated(params_) &&
        !lies_in_place(usual_places(unit), observation_, memory_.placed, every_node)) {
        return false;
    }
    if (!full) full = refine(id, query, is_conditioned(unit));
    if (!full) return false;
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        memory_.placed_at[unit.nodes[i].slot] = memory_.placed[i];
    }
    return true;
}

const match::PartialMatch& Step::match_in_part(const Unit& unit, const match::Query& query) {
    if (params_.growth == ModellerParams::Growth::greedy) return memory_.partial(query, report_.work);
    return memory_.population(query, report_.work,
                              random::mix({seed_, model_.key(), number_, unit.lineage, matching_draw}));
}

/// A unit that is there in part and whose target is as it says gives up what is missing. True if it did: what
/// is left of it is there in full, at `memory_.placed`.
bool Step::refine(UnitId id, const match::Query& query, bool conditioned) {
    const Unit& unit = model_.unit(id);
    const bool top = unit.target == no_unit;
    const double reliability = memory_.reliability[id];
    if (!conditioned || (!top && reliability < params_.refine_reliability)) return false;
    const match::PartialMatch& match = match_in_part(unit, query);
    if (match.degree < params_.match_threshold) return false;
    Keep keep;
    memory_.placed.clear();
    for (const std::uint32_t at : match.placed) {
        keep.nodes.push_back(at != nowhere);
        if (at != nowhere) memory_.placed.push_back(at);
    }
    for (const match::Pattern::Edge& edge : unit.pattern.edges()) {
        keep.edges.push_back(match::edge_is_placed(query, match.placed, edge));
    }
    using Residuals = ModellerParams::Residuals;
    const bool carried =
        top && (params_.residuals == Residuals::always || (params_.residuals == Residuals::while_unreliable &&
                                                           reliability < params_.spawn_reliability));
    if (carried) {
        const UnitId rest = model_.split(id, keep, number_);
        model_.change(rest).seen_before = model_.observed - 1;
        model_.change(rest).seen_own_before = model_.own - (is_own_ ? 1 : 0);
        grow_memory();
    } else {
        model_.shrink(id, keep);
    }
    return true;
}

void Step::grow_memory() {
    memory_.states.resize(model_.capacity(), State::unobserved);
    memory_.reliability.resize(model_.capacity(), 1);
    memory_.placed_at.resize(model_.slot_count(), nowhere);
}

void Step::fold() {
    for (const UnitId id : model_.in_order()) {
        if (memory_.states[id] != State::unobserved) fold_unit(model_.change(id), memory_.states[id]);
    }
}

void Step::fold_unit(Unit& unit, State state) {
    const bool active = state == State::active;
    ++(active ? unit.active : unit.inactive);
    ++unit.fired;
    if (is_own_) ++unit.fired_own;
    const Glance glance{is_own_, active || !params_.means_of_active_only};
    const auto place_of = [&](NodeSlot slot) -> const Point& {
        return observation_.position(memory_.placed_at[slot]);
    };
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        NodeRecord& node = unit.nodes[i];
        see(node, place_of(node.slot), glance);
        if (glance.moves) unit.pattern.set_position(i, node.mean);
    }
    for (std::size_t e = 0; e < unit.edges.size(); ++e) {
        EdgeRecord& edge = unit.edges[e];
        see(edge, place_of(edge.to) - place_of(edge.from), glance);
        if (glance.moves) unit.pattern.set_displacement(e, edge.mean);
    }
}

} // namespace sprig::modeller
