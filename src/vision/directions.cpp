#include "vision/directions.h"

#include <cmath>
#include <numbers>

namespace sprig {

namespace {

int positive_modulo(int value, int modulus) {
    return ((value % modulus) + modulus) % modulus;
}

/// The sign of a step from its angle to the direction, on a circle of 8K units: along the direction below a
/// quarter turn, across at a quarter turn, against beyond it.
int sign_at(int units, int k) {
    const int off = units <= 4 * k ? units : (8 * k) - units;
    if (off == 2 * k) return 0;
    return off < 2 * k ? 1 : -1;
}

/// Lists the steps of each sign. For every step along a direction the opposite one is against it.
void list_steps(Direction& d) {
    d.along_steps.fill(step_count);
    d.against_steps.fill(step_count);
    std::size_t count = 0;
    for (Step step = 0; step < step_count; ++step) {
        if (d.sign[step] <= 0) continue;
        d.along_steps[count] = step;
        d.against_steps[count] = static_cast<Step>((step + (step_count / 2)) % step_count);
        ++count;
    }
}

/// Tabulates the turns from a step, at an angle of `units` to the direction.
void list_turns(Direction& d, int step, int units, int k) {
    const int left_until_flip = positive_modulo((2 * k) - units, 4 * k);
    const int right_until_flip = positive_modulo(units - (2 * k), 4 * k);
    for (int next = 0; next < step_count; ++next) {
        const int turned = positive_modulo(next - step, step_count); // in 45 degrees
        const bool is_left = turned > 0 && turned <= step_count / 2;
        const bool is_across = d.sign[static_cast<std::size_t>(next)] == 0;
        const int order = is_left ? left_until_flip : right_until_flip;
        d.turns[(static_cast<std::size_t>(step) * step_count) + static_cast<std::size_t>(next)] =
            d.turned(is_left, is_across ? 0 : order);
    }
}

/// The direction at the angle pi * a / k, which is number `index` of all.
Direction make_direction(int index, int a, int k) {
    Direction d;
    d.first_type = 4 * static_cast<std::uint32_t>(index);
    // Steps are numbered counterclockwise, directions clockwise, because y points down.
    const auto units_of = [a, k](int step) { return positive_modulo((step * k) + (4 * a), 8 * k); };
    for (int step = 0; step < step_count; ++step)
        d.sign[static_cast<std::size_t>(step)] = sign_at(units_of(step), k);
    for (int step = 0; step < step_count; ++step) list_turns(d, step, units_of(step), k);
    list_steps(d);
    const double angle = std::numbers::pi * a / k;
    // The last bit of the C library does not matter: the rounding is a billion times coarser.
    d.x = std::llround(std::cos(angle) * static_cast<double>(Direction::unit));
    d.y = std::llround(std::sin(angle) * static_cast<double>(Direction::unit));
    return d;
}

} // namespace

std::vector<Direction> make_directions(int count) {
    std::vector<Direction> directions;
    make_directions(count, 0, directions);
    return directions;
}

void make_directions(int count, int turn, std::vector<Direction>& directions) {
    directions.clear();
    for (int a = 0; a < count; ++a) {
        directions.push_back(turn == 0 ? make_direction(a, a, count)
                                       : make_direction(a, (a * turn_parts) + turn, count * turn_parts));
    }
}

} // namespace sprig
