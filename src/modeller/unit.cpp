#include "modeller/unit.h"

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

} // namespace sprig::modeller
