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
    for (Step step = 0; step < step_count; ++step) {
        if (d.sign[step] <= 0) continue;
        d.along_steps[d.step_total] = step;
        d.against_steps[d.step_total] = static_cast<Step>((step + (step_count / 2)) % step_count);
        ++d.step_total;
    }
}

Direction make_direction(int a, int k) {
    Direction d;
    for (int step = 0; step < step_count; ++step) {
        // Steps are numbered counterclockwise, directions clockwise, because y points down.
        const int units = positive_modulo((step * k) + (4 * a), 8 * k);
        const auto s = static_cast<std::size_t>(step);
        d.sign[s] = sign_at(units, k);
        d.left_until_flip[s] = positive_modulo((2 * k) - units, 4 * k);
        d.right_until_flip[s] = positive_modulo(units - (2 * k), 4 * k);
    }
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
        directions.push_back(turn == 0 ? make_direction(a, count)
                                       : make_direction((a * turn_parts) + turn, count * turn_parts));
    }
}

} // namespace sprig
