#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace sprig::random {

/// Sixty-four bits that depend on every word and on their order: Random123's Philox, one word after the
/// other. It names things (a unit's lineage, a class's key) and digests content; the same words give the
/// same bits everywhere.
[[nodiscard]] std::uint64_t mix(std::uint64_t seed, std::uint64_t word);
[[nodiscard]] std::uint64_t mix(std::initializer_list<std::uint64_t> words);
[[nodiscard]] std::uint64_t mix(std::string_view text);

/// A number from 0 (included) to 1 (excluded) that belongs to a key. There is no sequence and no state: who
/// asks twice gets the same answer, and no question moves the answer to another.
[[nodiscard]] double uniform(std::uint64_t key);

/// Puts numbers, none of them twice, into an order that depends on the seed. Other uses of the same seed name
/// another purpose and get another order. The place of a number depends on itself alone: with some of them
/// taken away the others keep their order.
void shuffle(std::vector<std::size_t>& numbers, std::uint64_t seed, std::uint64_t purpose);
/// The numbers from 0 on in the order of a stream with this seed.
[[nodiscard]] std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

} // namespace sprig::random
