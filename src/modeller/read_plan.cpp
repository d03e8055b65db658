#include "modeller/read_plan.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/elementary.h"
#include "core/quantise.h"
#include "modeller/position_gate.h"

namespace sprig::modeller {

using ReadOut = ModellerParams::ReadOut;

namespace {

/// A unit and its downstream chain as one pattern without anchors: its own nodes and edges first, then those
/// of its target, and so on.
match::Pattern chain_pattern(const ClassModel& model, const Unit& unit) {
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

struct FiringRates {
    double own = 0;
    double foreign = 0;
};

FiringRates firing_rates(const Unit& unit, const ClassModel& model, double smoothing) {
    const auto rate = [&](std::uint64_t fired, std::uint64_t seen) {
        return (static_cast<double>(fired) + smoothing) / (static_cast<double>(seen) + (2 * smoothing));
    };
    const std::uint64_t seen = model.observed - unit.seen_before;
    const std::uint64_t seen_own = model.own - unit.seen_own_before;
    return {rate(unit.fired_own, seen_own), rate(unit.fired - unit.fired_own, seen - seen_own)};
}

double logit(double p) {
    return elementary::log(p / (1 - p));
}

/// The log-odds of a unit's reliability, with half an observation added to each count.
double reliability_logit(const Unit& unit) {
    const auto active = static_cast<double>(unit.active);
    const auto inactive = static_cast<double>(unit.inactive);
    return logit((active + 0.5) / (active + inactive + 1));
}

/// The statistics of the samples that were not of the class.
Moments foreign(const Moments& pool, const Moments& own) {
    Moments rest;
    rest.n = pool.n - own.n;
    if (rest.n <= 0) return rest;
    for (std::size_t axis = 0; axis < match::max_dimensions; ++axis) {
        rest.mean[axis] = ((pool.n * pool.mean[axis]) - (own.n * own.mean[axis])) / rest.n;
        const double between = own.mean[axis] - rest.mean[axis];
        const double m2 = pool.m2[axis] - own.m2[axis] - (own.n * rest.n / pool.n * between * between);
        rest.m2[axis] = std::max(0.0, m2);
    }
    return rest;
}

NodeTerm gaussian_term(const NodeRecord& node, std::size_t dimensions, const ModellerParams& params) {
    NodeTerm term;
    term.counts = node.own.n >= 2 && node.pool.n >= 2;
    if (!term.counts) return term;
    const double floor = params.spread_floor * params.spread_floor;
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
        const double own = (node.own.m2[axis] / node.own.n) + floor;
        const double pool = (node.pool.m2[axis] / node.pool.n) + floor;
        term.own[axis] = {node.own.mean[axis], 1 / own, 0};
        term.other[axis] = {node.pool.mean[axis], 1 / pool, 0};
        term.constant += 0.5 * (elementary::log(pool) - elementary::log(own));
    }
    return term;
}

/// log of Gamma((v + 1) / 2) / Gamma(v / 2) / sqrt(v / 2), by its asymptotic series: good to 1e-5 from v = 4
/// on, which is where it is used, and unlike std::lgamma without hidden state.
double gamma_ratio(double v) {
    const double squared = v * v;
    return ((-1.0 / 4) + (((1.0 / 24) - (1.0 / 20 / squared)) / squared)) / v;
}

/// Student's t: the predictive density of a Gaussian whose spread is learned, with a prior.
NodeTerm student_term(const NodeRecord& node, std::size_t dimensions, const ModellerParams& params) {
    NodeTerm term;
    const Moments other = foreign(node.pool, node.own);
    term.counts = node.own.n >= 2 && other.n >= 2;
    if (!term.counts) return term;
    const auto density = [&](const Moments& moments, std::size_t axis, double sign) {
        const double degrees = params.prior_weight + moments.n;
        const double prior = params.prior_weight * params.spread_floor * params.spread_floor;
        const double scale = (prior + moments.m2[axis]) / degrees * (1 + (1 / moments.n));
        term.constant += sign * (gamma_ratio(degrees) - (0.5 * elementary::log(scale)));
        return NodeTerm::Density{moments.mean[axis], 1 / (degrees * scale), (degrees + 1) / 2};
    };
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
        term.own[axis] = density(node.own, axis, 1);
        term.other[axis] = density(other, axis, -1);
    }
    return term;
}

EdgeTerm edge_term(const EdgeRecord& edge, const ModellerParams& params) {
    EdgeTerm term;
    if (edge.own.n < 2 || edge.pool.n < 2) return term;
    const double strength = params.orientation_weight * params.concentration;
    const auto add = [&](const Axial& axial, double sign) {
        const double length = std::sqrt((axial.cosine * axial.cosine) + (axial.sine * axial.sine));
        if (length == 0) return;
        term.weight.cosine += sign * strength * axial.cosine / length;
        term.weight.sine += sign * strength * axial.sine / length;
    };
    add(edge.own, 1);
    add(edge.pool, -1);
    return term;
}

void set_values(PlanUnit& out, const Unit& unit, const ClassModel& model, std::size_t classes,
                const ModellerParams& params) {
    if (params.read_out == ReadOut::geometric || params.read_out == ReadOut::student) {
        const FiringRates rates = firing_rates(unit, model, params.smoothing);
        out.absent = quantise(elementary::log((1 - rates.own) / (1 - rates.foreign)));
        out.present = elementary::log(rates.own / rates.foreign);
        return;
    }
    // Presence alone: log-odds of the reliability; for the first level, relative to the base rate of a class.
    const double base_rate = 1.0 / static_cast<double>(std::max<std::size_t>(2, classes));
    out.present = reliability_logit(unit) - (unit.target == no_unit ? logit(base_rate) : 0);
}

void set_geometry(PlanUnit& out, const Unit& unit, std::size_t dimensions, const ModellerParams& params) {
    if (params.read_out != ReadOut::geometric && params.read_out != ReadOut::student) return;
    const bool student = params.read_out == ReadOut::student;
    out.nodes.reserve(unit.nodes.size());
    for (const NodeRecord& node : unit.nodes) {
        out.nodes.push_back(student ? student_term(node, dimensions, params)
                                    : gaussian_term(node, dimensions, params));
    }
    if (dimensions != 2) return;
    out.edges.reserve(unit.edges.size());
    for (const EdgeRecord& edge : unit.edges) out.edges.push_back(edge_term(edge, params));
}

/// Minus the logarithm of the kernel of a density.
double kernel(const NodeTerm::Density& density, double at, bool student) {
    const double off = at - density.mean;
    const double scaled = off * off * density.precision;
    return student ? density.exponent * elementary::log1p(scaled) : 0.5 * scaled;
}

/// Adds the log-likelihood ratio of a node's position to `sum`, term by term: the order of addition affects
/// the last bits of the result.
void add_node_value(double& sum, const NodeTerm& term, const Point& at, const ReadPlan& plan,
                    const ModellerParams& params) {
    if (!term.counts) return;
    const bool student = params.read_out == ReadOut::student;
    sum += term.constant;
    for (std::size_t axis = 0; axis < plan.dimensions; ++axis)
        sum += kernel(term.other[axis], at[axis], student) - kernel(term.own[axis], at[axis], student);
}

/// The value of an edge, from its orientation.
double edge_value(const EdgeTerm& term, const Point& displacement) {
    const DoubledAngle angle = doubled_angle(displacement);
    return (term.weight.cosine * angle.cosine) + (term.weight.sine * angle.sine);
}

} // namespace

void add_class(ReadPlan& plan, const ClassModel& model, std::size_t classes, const ModellerParams& params) {
    const auto label = static_cast<std::uint32_t>(plan.labels.size());
    plan.labels.push_back(model.label());
    std::vector<std::uint32_t> index_of(model.capacity(), PlanUnit::none);
    std::vector<std::uint32_t> place_of(model.slot_count(), 0);
    const std::vector<UnitId> order = model.in_order();
    plan.units.reserve(plan.units.size() + order.size());
    for (const UnitId id : order) {
        const Unit& unit = model.unit(id);
        PlanUnit& out = plan.units.emplace_back();
        out.lineage = unit.lineage;
        out.label = label;
        out.target = unit.target == no_unit ? PlanUnit::none : index_of[unit.target];
        out.is_negative = unit.polarity == Polarity::negative;
        const bool is_mature = unit.active + unit.inactive >= params.maturity ||
                               (params.first_level_at_once && unit.target == no_unit);
        out.contributes = is_mature && (params.read_suppressors || unit.polarity == Polarity::positive);
        out.first = static_cast<std::uint32_t>(plan.places);
        if (params.chains == ModellerParams::Chains::unified) {
            out.pattern = chain_pattern(model, unit);
            plan.places += out.pattern.node_count();
        } else {
            out.pattern = unit.pattern;
            for (const NodeRecord& node : unit.nodes) {
                place_of[node.slot] = static_cast<std::uint32_t>(plan.places++);
            }
            out.anchors.reserve(unit.anchors.size());
            for (const NodeSlot anchor : unit.anchors) out.anchors.push_back(place_of[anchor]);
        }
        out.own_nodes = static_cast<std::uint32_t>(unit.nodes.size());
        if (is_gated(params)) out.typical_positions = typical_positions(unit);
        set_values(out, unit, model, classes, params);
        if (out.contributes) set_geometry(out, unit, plan.dimensions, params);
        index_of[id] = static_cast<std::uint32_t>(plan.units.size() - 1);
    }
}

double present_value(const PlanUnit& unit, const match::Observation& observation, const std::uint32_t* places,
                     const ReadPlan& plan, const ModellerParams& params) {
    double position = 0;
    for (std::size_t i = 0; i < unit.nodes.size(); ++i)
        add_node_value(position, unit.nodes[i], observation.position(places[unit.first + i]), plan, params);
    double value = unit.present + (params.position_weight * position);
    const std::size_t own = unit.pattern.node_count();
    const auto place = [&](std::uint32_t end) {
        return places[end < own ? unit.first + end : unit.anchors[end - own]];
    };
    for (std::size_t e = 0; e < unit.edges.size(); ++e) {
        const match::Pattern::Edge& edge = unit.pattern.edges()[e];
        value += edge_value(unit.edges[e],
                            observation.position(place(edge.to)) - observation.position(place(edge.from)));
    }
    return quantise(value);
}

double typical_value(const PlanUnit& unit, const ReadPlan& plan, const ModellerParams& params) {
    double position = 0;
    for (const NodeTerm& term : unit.nodes) {
        Point typical;
        for (std::size_t axis = 0; axis < plan.dimensions; ++axis) typical[axis] = term.own[axis].mean;
        add_node_value(position, term, typical, plan, params);
    }
    double value = unit.present + (params.position_weight * position);
    for (std::size_t e = 0; e < unit.edges.size(); ++e)
        value += edge_value(unit.edges[e], unit.pattern.edges()[e].displacement);
    return quantise(value);
}

std::vector<double> node_values(const PlanUnit& unit, const match::Observation& observation,
                                const std::uint32_t* places, const ReadPlan& plan,
                                const ModellerParams& params) {
    std::vector<double> values;
    for (std::size_t i = 0; i < unit.nodes.size(); ++i) {
        double value = 0;
        add_node_value(value, unit.nodes[i], observation.position(places[unit.first + i]), plan, params);
        values.push_back(params.position_weight * value);
    }
    return values;
}

} // namespace sprig::modeller
