#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sprig {

/// Sixteen bytes in a vector of the compiler. Where the processor has none of that size, the compiler
/// generates plain code with the same result.
using Bytes16 = std::uint8_t __attribute__((vector_size(16)));

inline Bytes16 load_bytes(const std::uint8_t* from) {
    Bytes16 bytes;
    std::memcpy(&bytes, from, sizeof(bytes));
    return bytes;
}

inline void store_bytes(std::uint8_t* to, Bytes16 bytes) {
    std::memcpy(to, &bytes, sizeof(bytes));
}

/// Shifts left by `by` bits, where no set bit leaves its byte. Processors shift two bytes or more at once.
template <unsigned by>
Bytes16 shifted(Bytes16 bytes) {
    using Pairs8 = std::uint16_t __attribute__((vector_size(16)));
    return std::bit_cast<Bytes16>(std::bit_cast<Pairs8>(bytes) << by);
}

/// Four numbers in a vector, likewise.
using Words4 = std::uint32_t __attribute__((vector_size(16)));

/// Gathers one bit of each of eight bytes: bit `which` of byte i becomes bit i.
inline std::uint32_t gather_bits(std::uint64_t bytes, unsigned which) {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t ones = 0x0101010101010101ULL;
    constexpr std::uint64_t to_the_top = 0x0102040810204080ULL;
    return static_cast<std::uint32_t>((((bytes >> which) & ones) * to_the_top) >> 56U);
}

/// The same for sixteen bytes and their highest bit, in plain code.
inline std::uint32_t plain_mask_of(Bytes16 bytes) {
    std::uint64_t halves[2];
    std::memcpy(halves, &bytes, sizeof(halves));
    return gather_bits(halves[0], 7) | (gather_bits(halves[1], 7) << 8U);
}

/// The same, by the fastest way that the processor has.
inline std::uint32_t mask_of(Bytes16 bytes) {
#ifdef __SSE2__
    return static_cast<std::uint32_t>(_mm_movemask_epi8(std::bit_cast<__m128i>(bytes)));
#else
    return plain_mask_of(bytes);
#endif
}

/// The sum of sixteen bytes, in plain code.
inline std::uint32_t plain_sum_of(Bytes16 bytes) {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof(bytes); ++i) sum += bytes[i];
    return sum;
}

/// The same, by the fastest way that the processor has.
inline std::uint32_t sum_of(Bytes16 bytes) {
#ifdef __SSE2__
    const __m128i halves = _mm_sad_epu8(std::bit_cast<__m128i>(bytes), _mm_setzero_si128());
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(halves) + _mm_extract_epi16(halves, 4));
#else
    return plain_sum_of(bytes);
#endif
}

} // namespace sprig
