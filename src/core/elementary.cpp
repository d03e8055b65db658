#include "core/elementary.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sprig::elementary {

namespace {

// The tables are computed by the compiler, in integers.
__extension__ using Wide = __int128;

/// log(a / b) in units of 2^-100: 2 artanh((a - b) / (a + b)), by its series.
constexpr int fraction_bits = 100;
constexpr Wide log_of_ratio(Wide a, Wide b) {
    const Wide difference = a - b;
    const Wide total = a + b;
    Wide sum = 0;
    Wide power = (Wide{2} << fraction_bits) * difference / total;
    for (int exponent = 1; power != 0; exponent += 2) {
        sum += power / exponent;
        power = power * difference * difference / (total * total);
    }
    return sum;
}

/// A number as the sum of two.
struct Split {
    double high = 0;
    double low = 0;
};

/// `value` is in units of 2^-100; `high` is a multiple of 2^-high_bits.
constexpr Split split(Wide value, int high_bits) {
    const int shift = fraction_bits - high_bits;
    const Wide high = (value + (Wide{1} << (shift - 1))) >> shift;
    const Wide low = value - (high << shift);
    return {static_cast<double>(high) / static_cast<double>(Wide{1} << high_bits),
            static_cast<double>(low) * 0x1p-100};
}

constexpr Wide log_of_two = log_of_ratio(2, 1);

/// Where a result is closer than this to 0, it is computed without a table, because the sums would cancel.
constexpr double near = 1.0 / 16;

/// For |x| < 2^51.
double nearest_integer(double x) {
    constexpr double shift = 0x1.8p52; // sums with it are integers
    return (x + shift) - shift;
}

// --- exp(x) = 2^(k / steps) exp(r) with an integer k

constexpr int step_bits = 7;
constexpr int steps = 1 << step_bits;

/// 2^(i / steps) is high * (1 + low).
constexpr Split root_of_two(int i) {
    // exp(y) by its series; y in units of 2^-63, so that no product overflows, the terms in units of 2^-120.
    constexpr int y_bits = 63;
    constexpr Wide low_bits = (Wide{1} << y_bits) - 1;
    const Wide y = (log_of_two * i / steps) >> (fraction_bits - y_bits);
    Wide sum = 0;
    Wide term = Wide{1} << 120;
    for (int n = 1; term != 0; ++n) {
        sum += term;
        term = ((term >> y_bits) * y + (((term & low_bits) * y) >> y_bits)) / n;
    }
    const double high = static_cast<double>(sum) * 0x1p-120;
    const Wide rest = sum - static_cast<Wide>(high * 0x1p120);
    return {high, static_cast<double>(rest) * 0x1p-120 / high};
}

constexpr std::array<Split, steps> roots_of_two = [] {
    std::array<Split, steps> roots;
    for (int i = 0; i < steps; ++i) roots[static_cast<std::size_t>(i)] = root_of_two(i);
    return roots;
}();

/// log 2 / steps. A product of `high` and k is exact: 18 bits of k, 34 bits of `high`.
constexpr Split step = split(log_of_two / steps, 41);
constexpr double steps_per_unit = 1 / step.high;

/// exp(x) = 2^exponent * root * (1 + change), with root from 1 to 2 and |change| < 0.003.
struct Exponential {
    std::int64_t exponent = 0;
    double root = 1;
    double change = 0;
};

/// For |x| up to 1000.
Exponential exponential(double x) {
    const double rounded = nearest_integer(x * steps_per_unit);
    const auto k = static_cast<std::int64_t>(rounded);
    const double r = (x - rounded * step.high) - rounded * step.low;
    const double square = r * r;
    const Split& root = roots_of_two[static_cast<std::size_t>(k & (steps - 1))];
    const double series =
        r + square * (0.5 + r * (1.0 / 6)) + (square * square) * ((1.0 / 24) + r * (1.0 / 120));
    return {k >> step_bits, root.high, root.low + series};
}

/// `number` must be normal, and the result too.
double times_power_of_two(double number, std::int64_t exponent) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) +
                                 (static_cast<std::uint64_t>(exponent) << 52U));
}

/// Where the result, or a part of it, may be infinite or denormal.
double exp_far(double x) {
    if (std::isnan(x)) return x;
    if (x > 710) return std::numeric_limits<double>::infinity();
    if (x < -746) return 0;
    const Exponential e = exponential(x);
    const std::int64_t half = e.exponent / 2;
    return (e.root + e.root * e.change) * times_power_of_two(1, half) *
           times_power_of_two(1, e.exponent - half);
}

/// By its series, for |x| < near.
double expm1_near_zero(double x) {
    // 1 / n!, from n = 10 down to n = 3.
    constexpr std::array coefficients = {1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                         1.0 / 720,     1.0 / 120,    1.0 / 24,    1.0 / 6};
    double series = 0;
    for (const double coefficient : coefficients) series = coefficient + x * series;
    return x + (x * x) * (0.5 + x * series);
}

// --- log(x) = k log 2 + log c + log(1 + r), with c a multiple of 1/128 that is near x / 2^k

// In units of 1/128.
constexpr int first_centre = 90;
constexpr int last_centre = 180;

/// The high part, plus 2^10 at most, is exact.
constexpr int log_bits = 42;
constexpr Split log_two = split(log_of_two, log_bits);
constexpr std::array<Split, last_centre - first_centre + 1> logs = [] {
    std::array<Split, last_centre - first_centre + 1> result;
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = split(log_of_ratio(first_centre + static_cast<Wide>(i), 128), log_bits);
    return result;
}();

/// log(1 + f) = 2 artanh s with s = f / (2 + f), for |f| < near. The terms are arranged so that only small
/// ones are rounded before the last subtraction.
double log_near_one(double f) {
    const double s = f / (2 + f);
    const double t = s * s;
    const double series =
        t *
        ((2.0 / 3) + t * ((2.0 / 5) + t * ((2.0 / 7) + t * ((2.0 / 9) + t * ((2.0 / 11) + t * (2.0 / 13))))));
    const double half_square = 0.5 * f * f;
    return f - (half_square - s * (half_square + series));
}

/// log(x) + change + exponent * log(2) for a positive, finite, normal x that is not near 1 and a small
/// change.
double log_far(double x, double change = 0, std::int64_t exponent = 0) {
    constexpr std::uint64_t exponent_bits = std::uint64_t{0xFFF} << 52U;
    constexpr auto first = std::bit_cast<std::uint64_t>(first_centre / 128.0);
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t above = bits - first;
    const auto k = static_cast<double>((static_cast<std::int64_t>(above) >> 52) + exponent);
    const auto m = std::bit_cast<double>(bits - (above & exponent_bits));
    const double centre = nearest_integer(m * 128);
    const double c = centre * (1.0 / 128);
    const double r = (m - c) / c;
    const Split& log_c = logs[static_cast<std::size_t>(centre) - first_centre];
    const double high = k * log_two.high + log_c.high; // exact
    const double sum = high + r;
    const double lost = (high - sum) + r;
    const double low = k * log_two.low + log_c.low;
    const double square = r * r;
    const double series =
        square *
        ((-0.5 + r * (1.0 / 3)) + square * ((-0.25 + r * (1.0 / 5)) + square * ((-1.0 / 6) + r * (1.0 / 7))));
    return sum + (series + (lost + (low + change)));
}

/// The logarithm of what is not a positive, finite, normal number.
double log_special(double x) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (x == 0) return -infinity;
    if (x < 0) return std::numeric_limits<double>::quiet_NaN();
    if (!(x < infinity)) return x; // or not a number
    return log_far(x * 0x1p54, 0, -54);
}

} // namespace

double exp(double x) {
    if (!(std::abs(x) < 700)) return exp_far(x); // beyond, scale * change may be denormal
    const Exponential e = exponential(x);
    const double scale = times_power_of_two(e.root, e.exponent);
    return scale + scale * e.change;
}

double expm1(double x) {
    if (!(std::abs(x) < 40)) return exp(x) - 1; // 1 is less than the last place
    if (std::abs(x) < near) return expm1_near_zero(x);
    const Exponential e = exponential(x);
    const double scale = times_power_of_two(e.root, e.exponent);
    return (scale - 1) + scale * e.change;
}

double log(double x) {
    if (std::abs(x - 1) < near) return log_near_one(x - 1);
    if (!(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max()))
        return log_special(x);
    return log_far(x);
}

double log1p(double x) {
    if (std::abs(x) < near) return log_near_one(x);
    const double sum = 1 + x;
    if (!(sum > 0 && sum <= std::numeric_limits<double>::max())) return log_special(sum);
    const double lost = x < 1 ? x - (sum - 1) : 1 - (sum - x);
    return log_far(sum, lost / sum);
}

} // namespace sprig::elementary
