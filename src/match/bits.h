#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace sprig::match {

/// A set of observed nodes in W words of 64 bits. One word is enough for nearly every network; each operation
/// then compiles to one instruction.
template <std::size_t W>
struct Bits {
    std::array<std::uint64_t, W> words = {};

    static Bits from(std::span<const std::uint64_t> row) {
        Bits bits;
        for (std::size_t w = 0; w < W && w < row.size(); ++w) bits.words[w] = row[w];
        return bits;
    }
    static Bits one(std::uint32_t index) {
        Bits bits;
        bits.words[index / 64] = std::uint64_t{1} << (index % 64);
        return bits;
    }

    [[nodiscard]] bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t word : words) all |= word;
        return all != 0;
    }
    [[nodiscard]] int count() const {
        int total = 0;
        for (const std::uint64_t word : words) total += std::popcount(word);
        return total;
    }
    [[nodiscard]] bool test(std::uint32_t index) const {
        return ((words[index / 64] >> (index % 64)) & 1U) != 0;
    }
    /// The smallest member. The set must not be empty.
    [[nodiscard]] std::uint32_t first() const {
        std::size_t w = 0;
        while (words[w] == 0) ++w;
        return static_cast<std::uint32_t>((w * 64) + static_cast<std::size_t>(std::countr_zero(words[w])));
    }
    void erase(std::uint32_t index) { words[index / 64] &= ~(std::uint64_t{1} << (index % 64)); }

    Bits& operator&=(const Bits& other) {
        for (std::size_t w = 0; w < W; ++w) words[w] &= other.words[w];
        return *this;
    }
    [[nodiscard]] Bits without(const Bits& other) const {
        Bits bits = *this;
        for (std::size_t w = 0; w < W; ++w) bits.words[w] &= ~other.words[w];
        return bits;
    }
    /// Calls `visit(index)` for each member, in ascending order.
    template <typename Visit>
    void each(Visit visit) const {
        for (std::size_t w = 0; w < W; ++w) {
            for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
                visit(
                    static_cast<std::uint32_t>((w * 64) + static_cast<std::size_t>(std::countr_zero(word))));
            }
        }
    }
};

} // namespace sprig::match
