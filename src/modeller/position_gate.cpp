#include "modeller/position_gate.h"

namespace sprig::modeller {

namespace {

constexpr double gate_floor = 1.5; ///< px, added to the spread in quadrature
constexpr double gate_spreads = 3; ///< maximum deviation, in spreads

double variance(const Moments& moments, std::size_t axis) {
    return (moments.m2[axis] / moments.n) + (gate_floor * gate_floor);
}

bool is_near(double deviation, double squared_spread) {
    return deviation * deviation <= gate_spreads * gate_spreads * squared_spread;
}

} // namespace

bool is_gated(const ModellerParams& params) {
    using Gate = ModellerParams::PositionGate;
    return params.position_gate == Gate::match || params.position_gate == Gate::nodes;
}

std::vector<Moments> typical_positions(const Unit& unit) {
    std::vector<Moments> places;
    for (const NodeRecord& node : unit.nodes) places.push_back(node.own.n >= 2 ? node.own : node.pool);
    return places;
}

bool is_at_typical_position(std::span<const Moments> typical, const match::Observation& observation,
                            std::span<const std::uint32_t> placed, bool every_node) {
    Point deviation;
    Point spread;
    double known = 0;
    for (std::size_t i = 0; i < typical.size(); ++i) {
        const Moments& moments = typical[i];
        if (moments.n < 2) continue;
        known += 1;
        for (std::size_t axis = 0; axis < match::max_dimensions; ++axis) {
            const double off = observation.position(placed[i])[axis] - moments.mean[axis];
            if (every_node && !is_near(off, variance(moments, axis))) return false;
            deviation[axis] += off;
            spread[axis] += variance(moments, axis);
        }
    }
    if (every_node || known == 0) return true;
    for (std::size_t axis = 0; axis < match::max_dimensions; ++axis) {
        if (!is_near(deviation[axis] / known, spread[axis] / known)) return false;
    }
    return true;
}

} // namespace sprig::modeller
