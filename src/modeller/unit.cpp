#include "modeller/unit.h"

#include "core/keyed.h"

namespace sprig::modeller {

void Moments::add(const Point& value) {
    n += 1;
    for (std::size_t axis = 0; axis < match::max_dimensions; ++axis) {
        const double before = value[axis] - mean[axis];
        mean[axis] += before / n;
        m2[axis] += before * (value[axis] - mean[axis]);
    }
}

DoubledAngle doubled_angle(const Point& displacement) {
    const double x = displacement[0];
    const double y = displacement[1];
    const double squared = (x * x) + (y * y);
    if (squared == 0) return {};
    return {((x * x) - (y * y)) / squared, 2 * x * y / squared};
}

void Axial::add(const Point& displacement) {
    const DoubledAngle angle = doubled_angle(displacement);
    n += 1;
    cosine += angle.cosine;
    sine += angle.sine;
}

namespace {

template <typename Record>
void update_record(Record& record, const Point& value, UpdateFlags flags) {
    record.pool.add(value);
    if (flags.own) record.own.add(value);
    if (!flags.mean) return;
    ++record.n;
    for (std::size_t axis = 0; axis < match::max_dimensions; ++axis) {
        record.mean[axis] += (value[axis] - record.mean[axis]) / static_cast<double>(record.n);
    }
}

} // namespace

NodeRecord new_node(std::uint32_t type, const Point& at) {
    NodeRecord node;
    node.type = type;
    node.mean = at;
    return node;
}

EdgeRecord new_edge(std::uint32_t layer, const Point& displacement) {
    EdgeRecord edge;
    edge.layer = layer;
    edge.mean = displacement;
    return edge;
}

void update(NodeRecord& node, const Point& at, UpdateFlags flags) {
    update_record(node, at, flags);
}

void update(EdgeRecord& edge, const Point& displacement, UpdateFlags flags) {
    update_record(edge, displacement, flags);
}

std::uint64_t node_key(Lineage unit, std::size_t i) {
    return random::mix(unit, i);
}

} // namespace sprig::modeller
