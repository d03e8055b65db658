#pragma once

#include <bit>
#include <cstdint>

namespace sprig::constellation {

/// The natural logarithm of a positive, finite, normal number, to about 1e-12. Made of + - * / alone, so that
/// every machine gives the same bits (the C library's differ between processors), and short enough to be
/// spread over the loops that need it.
inline double logarithm(double x) {
    constexpr double ln2 = 0.693147180559945309417;
    constexpr std::uint64_t mantissa = 0x000FFFFFFFFFFFFFULL;
    constexpr std::uint64_t one = 0x3FF0000000000000ULL;
    constexpr std::uint64_t root_two = 0x0006A09E667F3BCDULL; // the mantissa of its square root
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t above = (bits & mantissa) > root_two ? 1 : 0;
    const auto exponent = static_cast<std::int64_t>(bits >> 52U) - 1023 + static_cast<std::int64_t>(above);
    // From 1/sqrt(2) to sqrt(2).
    const auto m = std::bit_cast<double>((bits & mantissa) | (one - (above << 52U)));
    // log m = 2 artanh s
    const double s = (m - 1) / (m + 1);
    const double t = s * s;
    const double t2 = t * t;
    // In pairs rather than one after the other: a processor works on several at once.
    const double series = ((1 + (t * (1.0 / 3))) + (t2 * ((1.0 / 5) + (t * (1.0 / 7))))) +
                          ((t2 * t2) * (((1.0 / 9) + (t * (1.0 / 11))) + (t2 * (1.0 / 13))));
    return static_cast<double>(exponent) * ln2 + 2 * s * series;
}

/// Not more than `logarithm(x)`, and less by at most 0.06: for a number of at least 1. Nearly free: the bits
/// of a number, read as a whole number, are its logarithm with chords in place of the curve.
inline double logarithm_at_least(double x) {
    constexpr double ln2 = 0.6931471; // rounded down by more than the conversion can round up
    constexpr double unit = 1.0 / static_cast<double>(std::uint64_t{1} << 52U);
    constexpr std::int64_t one = 0x3FF0000000000000LL;
    return static_cast<double>(std::bit_cast<std::int64_t>(x) - one) * (unit * ln2);
}

} // namespace sprig::constellation
