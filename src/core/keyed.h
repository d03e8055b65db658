#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace sprig::random {

/// Hashes words to 64 bits with Random123's Philox, one word at a time. The result depends on every word and
/// on their order, and is the same on every machine. Used for identifiers (a unit's lineage, a class's key)
/// and for digests.
[[nodiscard]] std::uint64_t mix(std::uint64_t seed, std::uint64_t word);
[[nodiscard]] std::uint64_t mix(std::initializer_list<std::uint64_t> words);
[[nodiscard]] std::uint64_t mix(std::string_view text);

/// The uniform random number in [0, 1) of a key. There is no sequence and no state: equal keys give equal
/// numbers, and one draw does not affect another.
[[nodiscard]] double uniform(std::uint64_t key);

/// Shuffles distinct numbers with a seed. Different purposes give different orders for the same seed. The
/// sort key of a number depends on that number alone: if some numbers are left out, the others keep their
/// order.
void shuffle(std::vector<std::size_t>& numbers, std::uint64_t seed, std::uint64_t purpose);
/// The numbers from 0 to count - 1, in the order of a stream with this seed.
[[nodiscard]] std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

} // namespace sprig::random
