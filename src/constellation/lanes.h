#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace sprig::constellation {

/// A SIMD pair of doubles. Each lane gives the same bits as scalar code.
using Lanes = double __attribute__((vector_size(16)));

/// A constant in all lanes, or the number itself. The compiler keeps such a constant in memory as it is used.
template <typename Number>
constexpr Number constant(double value) {
    return Number{value, value};
}
template <>
constexpr double constant<double>(double value) {
    return value;
}

inline Lanes load_lanes(const double* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
}

inline void store_lanes(double* to, Lanes lanes) {
    std::memcpy(to, &lanes, sizeof(lanes));
}

/// By lane: the larger value.
inline Lanes larger(Lanes a, Lanes b) {
    return a > b ? a : b;
}

inline Lanes swapped(Lanes pair) {
    return __builtin_shufflevector(pair, pair, 1, 0);
}

inline double max_of(Lanes pair) {
    return larger(pair, swapped(pair))[0];
}

/// A SIMD vector of four floats.
using Floats = float __attribute__((vector_size(16)));
using Integers = std::int32_t __attribute__((vector_size(16)));
inline constexpr std::uint32_t float_lanes = 4;

/// The gain of a lane without a node: it is never placed.
inline constexpr float no_gain = -1e30F;
/// Factor of sums of floats that are not negative: larger than their relative rounding errors.
inline constexpr double sum_safety = 1 + 1e-4;

inline Floats broadcast(float value) {
    return Floats{value, value, value, value};
}
template <>
constexpr Floats constant<Floats>(double value) {
    const auto narrow = static_cast<float>(value);
    return Floats{narrow, narrow, narrow, narrow};
}

/// By lane: the larger value.
inline Floats larger(Floats a, Floats b) {
    return a > b ? a : b;
}

inline float max_of(Floats values) {
    const Floats pairs = larger(values, __builtin_shufflevector(values, values, 2, 3, 0, 1));
    return larger(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2))[0];
}

inline float sum_of(Floats values) {
    return (values[0] + values[1]) + (values[2] + values[3]);
}

/// By lane: the natural logarithm of a number of at least 1, with an error of at most `log_slack` and some
/// roundings. The logarithm to base 2 of 1 + m, for m from 0 to 1, is approximated by m + m (1 - m) p(m),
/// where p is of the second degree.
struct NearLogarithm {
    Floats one = constant<Floats>(1);
    Floats p0 = constant<Floats>(0.43872573F);
    Floats p1 = constant<Floats>(-0.2390582F);
    Floats p2 = constant<Floats>(0.08213066F);
    Floats ln2 = constant<Floats>(0.6931472F);

    [[gnu::always_inline]] inline Floats operator()(Floats x) const {
        constexpr std::int32_t bits_of_one = 0x3F800000;
        constexpr std::int32_t mantissa = 0x007FFFFF;
        const auto bits = std::bit_cast<Integers>(x);
        const Floats exponent = __builtin_convertvector((bits - bits_of_one) >> 23, Floats);
        const Floats m = std::bit_cast<Floats>((bits & mantissa) | bits_of_one) - one;
        const Floats p = p0 + (m * (p1 + (m * p2)));
        return (exponent + m + (m * (one - m) * p)) * ln2;
    }
};
inline constexpr double log_slack = 1e-4; ///< see NearLogarithm

} // namespace sprig::constellation
