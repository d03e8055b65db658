#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

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

} // namespace sprig::random
