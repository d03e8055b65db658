#pragma once

#include <bit>
#include <cstdint>

#include "constellation/lanes.h"

namespace sprig::constellation {

/// log m = 2 artanh s with s = (m - 1) / (m + 1), for m from 1 / sqrt(2) to sqrt(2), by its series. Evaluated
/// in pairs rather than in sequence, for instruction-level parallelism.
template <typename Number>
inline Number log_near_one(Number m) {
    const auto c = [](double value) { return constant<Number>(value); };
    const Number s = (m - c(1)) / (m + c(1));
    const Number t = s * s;
    const Number t2 = t * t;
    const Number series = ((c(1) + (t * c(1.0 / 3))) + (t2 * (c(1.0 / 5) + (t * c(1.0 / 7))))) +
                          ((t2 * t2) * ((c(1.0 / 9) + (t * c(1.0 / 11))) + (t2 * c(1.0 / 13))));
    return c(2) * s * series;
}

inline constexpr double ln2 = 0.693147180559945309417;

/// The natural logarithm of a positive, finite, normal number, to about 1e-12. It uses only + - * /, so that
/// every machine gives the same bits (those of the C library differ between processors), and is short enough
/// to be inlined.
inline double logarithm(double x) {
    constexpr std::uint64_t mantissa = 0x000FFFFFFFFFFFFFULL;
    constexpr std::uint64_t one = 0x3FF0000000000000ULL;
    constexpr std::uint64_t root_two = 0x0006A09E667F3BCDULL; // the mantissa of the square root of 2
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t above = (bits & mantissa) > root_two ? 1 : 0;
    const auto exponent = static_cast<std::int64_t>(bits >> 52U) - 1023 + static_cast<std::int64_t>(above);
    // m is between 1/sqrt(2) and sqrt(2).
    const auto m = std::bit_cast<double>((bits & mantissa) | (one - (above << 52U)));
    return static_cast<double>(exponent) * ln2 + log_near_one(m);
}

/// The same by lane, bit for bit.
inline Lanes logarithm(Lanes x) {
    using Words = std::uint64_t __attribute__((vector_size(16))); // unsigned: SSE2 has no other shift
    constexpr std::uint64_t mantissa = 0x000FFFFFFFFFFFFFULL;
    constexpr std::uint64_t one = 0x3FF0000000000000ULL;
    constexpr auto root_two = constant<Lanes>(1.4142135623730951); // the same bits as in the scalar version
    // A small integer in the mantissa of 2^52 makes a double of that sum.
    constexpr std::uint64_t big_bits = 0x4330000000000000ULL;
    constexpr double big = 4503599627370496.0;
    const auto bits = std::bit_cast<Words>(x);
    const auto from_one = std::bit_cast<Lanes>((bits & mantissa) | one); // from 1 to 2
    const Lanes biased = std::bit_cast<Lanes>((bits >> 52U) | big_bits) - constant<Lanes>(big + 1023);
    const auto is_above = std::bit_cast<Words>(from_one > root_two);
    const Lanes exponent = biased + std::bit_cast<Lanes>(is_above & one);
    // One less in the exponent of those above.
    const auto m =
        std::bit_cast<Lanes>(std::bit_cast<Words>(from_one) - (is_above & (std::uint64_t{1} << 52U)));
    return exponent * constant<Lanes>(ln2) + log_near_one(m);
}

} // namespace sprig::constellation
