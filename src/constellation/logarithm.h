#pragma once

#include <bit>
#include <cstdint>

#include "constellation/lanes.h"

namespace sprig::constellation {

inline constexpr double ln2 = 0.693147180559945309417;

/// The constants of a logarithm.
template <typename Number>
struct LogarithmTerms {
    Number one = constant<Number>(1);
    Number two = constant<Number>(2);
    Number third = constant<Number>(1.0 / 3);
    Number fifth = constant<Number>(1.0 / 5);
    Number seventh = constant<Number>(1.0 / 7);
    Number ninth = constant<Number>(1.0 / 9);
    Number eleventh = constant<Number>(1.0 / 11);
    Number thirteenth = constant<Number>(1.0 / 13);
    Number of_two = constant<Number>(ln2);
    // For lanes. A small integer in the mantissa of 2^52 makes a double of that sum.
    Number root_two = constant<Number>(1.4142135623730951);
    Number exponent_offset = constant<Number>(4503599627370496.0 + 1023);
};

/// log m = 2 artanh s with s = (m - 1) / (m + 1), for m from 1 / sqrt(2) to sqrt(2), by its series. Evaluated
/// in pairs rather than in sequence, for instruction-level parallelism.
template <typename Number>
[[gnu::always_inline]] inline Number log_near_one(Number m, const LogarithmTerms<Number>& terms) {
    const Number s = (m - terms.one) / (m + terms.one);
    const Number t = s * s;
    const Number t2 = t * t;
    const Number series = ((terms.one + (t * terms.third)) + (t2 * (terms.fifth + (t * terms.seventh)))) +
                          ((t2 * t2) * ((terms.ninth + (t * terms.eleventh)) + (t2 * terms.thirteenth)));
    return terms.two * s * series;
}

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
    return static_cast<double>(exponent) * ln2 + log_near_one(m, LogarithmTerms<double>{});
}

/// The same by lane, bit for bit. If the compiler does not know the values of `terms`, it uses them from
/// memory, which takes fewer instructions than making them.
[[gnu::always_inline]] inline Lanes logarithm(Lanes x, const LogarithmTerms<Lanes>& terms = {}) {
    using Words = std::uint64_t __attribute__((vector_size(16))); // unsigned: SSE2 has no other shift
    constexpr std::uint64_t mantissa = 0x000FFFFFFFFFFFFFULL;
    constexpr std::uint64_t one = 0x3FF0000000000000ULL;
    constexpr std::uint64_t big_bits = 0x4330000000000000ULL;
    const auto bits = std::bit_cast<Words>(x);
    const auto from_one = std::bit_cast<Lanes>((bits & mantissa) | one); // from 1 to 2
    const Lanes biased = std::bit_cast<Lanes>((bits >> 52U) | big_bits) - terms.exponent_offset;
    const auto is_above = std::bit_cast<Words>(from_one > terms.root_two);
    const Lanes exponent = biased + std::bit_cast<Lanes>(is_above & one);
    // One less in the exponent of those above.
    const auto m =
        std::bit_cast<Lanes>(std::bit_cast<Words>(from_one) - (is_above & (std::uint64_t{1} << 52U)));
    return exponent * terms.of_two + log_near_one(m, terms);
}

} // namespace sprig::constellation
