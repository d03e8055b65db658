#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sprig {

/// Ranks few distinct numbers by counting for each the smaller ones, without branches and in vectors. Reuses
/// its memory.
class CountingRank {
  public:
    /// Memory for the numbers, which must not be negative.
    std::span<std::int32_t> numbers(std::size_t count) {
        count_ = count;
        const std::size_t padded = (count + group - 1) & ~(group - 1);
        if (numbers_.size() < padded) numbers_.resize(2 * padded);
        if (ranks_.size() < padded) ranks_.resize(2 * padded);
        return {numbers_.data(), count};
    }

    /// The ranks of the numbers, from 0. Valid until the next call.
    std::span<const std::uint32_t> ranks() {
        using Ints4 = std::int32_t __attribute__((vector_size(16)));
        const std::int32_t* const numbers = numbers_.data();
        const std::int32_t* const end = numbers + count_;
        for (std::size_t i = 0; i < count_; i += group) {
            Ints4 mine[2];
            std::memcpy(mine, numbers + i, sizeof(mine));
            // All that are not greater, without itself.
            const Ints4 others = Ints4{} + static_cast<std::int32_t>(count_ - 1);
            Ints4 ranks[2] = {others, others};
            for (const std::int32_t* other = numbers; other < end; ++other) {
                const Ints4 number = Ints4{} + *other;
                ranks[0] += number > mine[0];
                ranks[1] += number > mine[1];
            }
            std::memcpy(ranks_.data() + i, ranks, sizeof(ranks));
        }
        return {ranks_.data(), count_};
    }

  private:
    static constexpr std::size_t group = 8; ///< numbers that are ranked at once

    std::size_t count_ = 0;
    std::vector<std::int32_t> numbers_; ///< with room for whole groups
    std::vector<std::uint32_t> ranks_;
};

} // namespace sprig
