#pragma once

#include <bit>
#include <cstdint>

namespace sprig::constellation {

/// The natural logarithm of a positive, finite, normal number, to about 1e-12. It uses only + - * /, so that
/// every machine gives the same bits (those of the C library differ between processors), and is short enough
/// to be inlined.
inline double logarithm(double x) {
    constexpr double ln2 = 0.693147180559945309417;
    constexpr std::uint64_t mantissa = 0x000FFFFFFFFFFFFFULL;
    constexpr std::uint64_t one = 0x3FF0000000000000ULL;
    constexpr std::uint64_t root_two = 0x0006A09E667F3BCDULL; // the mantissa of the square root of 2
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t above = (bits & mantissa) > root_two ? 1 : 0;
    const auto exponent = static_cast<std::int64_t>(bits >> 52U) - 1023 + static_cast<std::int64_t>(above);
    // m is between 1/sqrt(2) and sqrt(2).
    const auto m = std::bit_cast<double>((bits & mantissa) | (one - (above << 52U)));
    // log m = 2 artanh s
    const double s = (m - 1) / (m + 1);
    const double t = s * s;
    const double t2 = t * t;
    // Evaluated in pairs rather than in sequence, for instruction-level parallelism.
    const double series = ((1 + (t * (1.0 / 3))) + (t2 * ((1.0 / 5) + (t * (1.0 / 7))))) +
                          ((t2 * t2) * (((1.0 / 9) + (t * (1.0 / 11))) + (t2 * (1.0 / 13))));
    return static_cast<double>(exponent) * ln2 + 2 * s * series;
}

/// A lower bound of `logarithm(x)` for x >= 1, at most 0.06 below it. Very cheap: the bits of a double, read
/// as an integer, are a piecewise linear approximation of its logarithm.
inline double log_lower_bound(double x) {
    constexpr double ln2 = 0.6931471; // rounded down by more than the conversion can round up
    constexpr double unit = 1.0 / static_cast<double>(std::uint64_t{1} << 52U);
    constexpr std::int64_t one = 0x3FF0000000000000LL;
    return static_cast<double>(std::bit_cast<std::int64_t>(x) - one) * (unit * ln2);
}

} // namespace sprig::constellation
