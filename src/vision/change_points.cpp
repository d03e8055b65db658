#include "vision/change_points.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sprig/front_end.h"
#include "vision/bytes16.h"

namespace sprig {

namespace {

constexpr int half_turn = 4; // in steps of 45 degrees
constexpr std::size_t steps_per_word = 64;
// Fields of a key by which change points are ordered along a contour: place, turn, type. A direction flips
// only once at a place, so the order of types is that of directions.
constexpr unsigned type_bits = Direction::type_bits;
constexpr unsigned turn_bits = 14;
constexpr int after_all = (1 << turn_bits) - 1; // more than any angle until a flip

/// The turn from one step to the next, in 45 degrees, left positive.
int turn_between(Step from, Step to) {
    constexpr std::array<int, step_count> turns = {0, 1, 2, 3, half_turn, -3, -2, -1};
    return turns[static_cast<std::size_t>((to - from) & (step_count - 1))];
}

/// The position of the highest set bit; there must be one.
std::ptrdiff_t highest_bit(std::uint64_t bits) {
    return 63 ^ std::countl_zero(bits);
}

/// Computes the keys of a contour's change points along one direction.
class FlipKeys {
  public:
    FlipKeys(const TracedContour& contour, bool has_spikes, const Direction& direction)
        : contour_(contour), size_(static_cast<std::ptrdiff_t>(contour.size)), has_spikes_(has_spikes),
          direction_(direction) {}

    /// The key of the change point between two steps, without whether it is a minimum. The first step may be
    /// before the contour's first: then it is negative.
    [[nodiscard]] std::uint64_t key(std::ptrdiff_t before, std::ptrdiff_t after) const {
        const std::ptrdiff_t middle = before + 1 + after; // in half steps
        const auto place = static_cast<std::uint64_t>(middle < 0 ? middle + (2 * size_) : middle);
        const auto last = static_cast<std::size_t>(before < 0 ? before + size_ : before);
        std::uint64_t turn = direction_.turn(contour_.step(last), contour_.step(last + 1));
        if (has_spikes_ && after - before > 2)
            turn = turn_over(last, last + static_cast<std::size_t>(after - before));
        return (place << (turn_bits + type_bits)) | turn;
    }

  private:
    // Rarely called. In line it would take the registers of the loop.
    [[nodiscard]] [[gnu::noinline]] std::uint32_t turn_over(std::size_t before, std::size_t after) const;
    [[nodiscard]] Step step_at(std::size_t i) const {
        return contour_.step(i < contour_.size ? i : i - contour_.size);
    }

    TracedContour contour_;
    std::ptrdiff_t size_;
    bool has_spikes_;
    const Direction& direction_;
};

/// The turn over several steps across the direction. They may go back and forth.
std::uint32_t FlipKeys::turn_over(std::size_t before, std::size_t after) const {
    const Step across = step_at(before + 1);
    bool is_straight = true;
    for (std::size_t i = before + 2; i < after; ++i) is_straight &= step_at(i) == across;
    if (is_straight) return direction_.turn(step_at(before), across);

    int turned = 0;
    for (std::size_t i = before; i < after; ++i) turned += turn_between(step_at(i), step_at(i + 1));
    // The middle of the run may be the tip of a spike. If the tip were round, its side would go slightly
    // along or against the direction: the flip is after the tip or before it.
    const std::size_t tip = (before + after) / 2;
    if ((after - before) % 2 == 0 || turn_between(step_at(tip), step_at(tip + 1)) != half_turn)
        return direction_.turned(turned > 0, 0);
    const int side = direction_.sign[(step_at(tip) + 2) % step_count];
    return direction_.turned(turned > 0, side == direction_.sign[step_at(before)] ? after_all : 0);
}

} // namespace

void ChangePoints::clear() {
    points.clear();
    ring_members.clear();
    projections.clear();
    ring_ends.clear();
}

void ChangePointFinder::map_steps() {
    steps_.resize((size_ + steps_per_word - 1) / steps_per_word);
    along_.resize(steps_.size());
    against_.resize(steps_.size());
    has_spikes_ = false;
    for (std::size_t word = 0; word < steps_.size(); ++word) {
        std::array<std::uint64_t, 3> bit{}; // of the number of each step
        std::uint64_t spikes = 0;           // steps before a half turn
        const std::uint8_t* const steps = contour_.steps + (word * steps_per_word);
        const std::size_t count = std::min(steps_per_word, size_ - (word * steps_per_word));
        for (std::size_t i = 0; i < count; i += sizeof(Bytes16)) {
            const Bytes16 step = load_bytes(steps + i);
            const Bytes16 turn = (load_bytes(steps + i + 1) ^ step) & (step_count - 1);
            bit[0] |= std::uint64_t{mask_of(shifted<7>(step))} << i;
            bit[1] |= std::uint64_t{mask_of(shifted<6>(step))} << i;
            bit[2] |= std::uint64_t{mask_of(shifted<5>(step))} << i;
            spikes |= std::uint64_t{mask_of(std::bit_cast<Bytes16>(turn == half_turn))} << i;
        }
        const std::uint64_t valid = ~std::uint64_t{0} >> (steps_per_word - count);
        has_spikes_ |= (spikes & valid) != 0;
        const std::array low = {~bit[1] & ~bit[0], ~bit[1] & bit[0], bit[1] & ~bit[0], bit[1] & bit[0]};
        for (std::size_t step = 0; step < step_count; ++step)
            steps_[word][step] = valid & (step < 4 ? ~bit[2] : bit[2]) & low[step % 4];
    }
}

/// Finds the flips once around the contour. `before` is the last step that counts, as seen from the first.
void ChangePointFinder::find_flips(const Direction& direction, std::ptrdiff_t before, bool goes_along) {
    const FlipKeys keys(contour_, has_spikes_, direction);
    std::uint64_t* found = found_.data() + found_count_;
    const std::size_t words = along_.size();
    for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t along = along_[word];
        const std::uint64_t against = against_[word];
        const std::uint64_t counts = along | against;
        if (counts == 0) continue;
        // Added to the steps across, each step that counts carries through them to the next one that counts.
        const std::uint64_t after_along = ((along << 1U) | (goes_along ? 1U : 0U)) + ~counts;
        const std::uint64_t after_against = ((against << 1U) | (goes_along ? 0U : 1U)) + ~counts;
        const auto begin = static_cast<std::ptrdiff_t>(word * steps_per_word);
        for (std::uint64_t flips = (after_along & against) | (after_against & along); flips != 0;
             flips &= flips - 1) {
            const int bit = std::countr_zero(flips);
            const std::uint64_t earlier = counts & ((flips & (~flips + 1)) - 1);
            if (earlier != 0) before = begin + highest_bit(earlier);
            const std::uint64_t is_minimum = (along >> static_cast<unsigned>(bit)) & 1U;
            *found++ = keys.key(before, begin + bit) + (2 * is_minimum);
        }
        before = begin + highest_bit(counts);
        goes_along = along > against;
    }
    found_count_ = static_cast<std::size_t>(found - found_.data());
}

void ChangePointFinder::find_along(const Direction& direction) {
    std::ptrdiff_t last = -1; // step that counts
    bool goes_along = false;  // that step
    const std::size_t words = along_.size();
    for (std::size_t word = 0; word < words; ++word) {
        const StepBits& steps = steps_[word];
        std::uint64_t along = 0;
        std::uint64_t against = 0;
        for (const Step step : direction.along_steps) along |= steps[step];
        for (const Step step : direction.against_steps) against |= steps[step];
        along_[word] = along;
        against_[word] = against;
        if ((along | against) == 0) continue;
        last = static_cast<std::ptrdiff_t>(word * steps_per_word) + highest_bit(along | against);
        goes_along = along > against;
    }
    if (last < 0) return;
    if (found_.size() < found_count_ + size_) found_.resize(2 * (found_count_ + size_));
    find_flips(direction, last - static_cast<std::ptrdiff_t>(size_), goes_along);
}

/// The ranks of the found points by key.
std::span<const std::uint32_t> ChangePointFinder::rank_found() {
    constexpr std::size_t few_points = 48;
    constexpr std::size_t few_places = std::size_t{1} << (31U - turn_bits - type_bits);
    if (found_count_ > few_points || 2 * size_ > few_places) return rank_many();
    const std::span<std::int32_t> keys = few_.numbers(found_count_);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(found_[i]);
    return few_.ranks();
}

std::span<const std::uint32_t> ChangePointFinder::rank_many() {
    ranks_.resize(found_count_);
    order_.resize(found_count_);
    for (std::uint32_t i = 0; i < found_count_; ++i) order_[i] = {found_[i], i};
    std::sort(order_.begin(), order_.end());
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) ranks_[order_[rank].second] = rank;
    return ranks_;
}

void ChangePointFinder::append_found(std::uint32_t contour, std::span<const Direction> directions,
                                     ChangePoints& result) {
    const std::uint32_t* const ranks = rank_found().data();
    const auto base = static_cast<std::uint32_t>(result.points.size());
    const auto first_member = static_cast<std::uint32_t>(result.ring_members.size());
    result.points.resize(base + found_count_);
    result.ring_members.resize(first_member + found_count_);
    result.projections.resize(first_member + found_count_);
    ChangePoint* const points = result.points.data() + base;
    std::uint32_t* const members = result.ring_members.data() + first_member;
    std::int64_t* const projections = result.projections.data() + first_member;
    std::uint32_t i = 0;
    for (std::size_t a = 0; a < directions.size(); ++a) {
        const std::int64_t x = directions[a].x;
        const std::int64_t y = directions[a].y;
        const std::uint32_t end = found_ends_[a];
        if (i == end) continue;
        for (; i < end; ++i) {
            const std::uint64_t key = found_[i];
            const std::uint32_t rank = ranks[i];
            const auto place = static_cast<std::uint32_t>(key >> (turn_bits + type_bits));
            const auto type = static_cast<std::uint32_t>(key & ((1U << type_bits) - 1));
            const PackedPoint at = contour_.at_half_step(place);
            points[rank] = {at, type, contour, place, 0};
            members[i] = base + rank;
            projections[i] = (at.x() * x) + (at.y() * y);
        }
        result.ring_ends.push_back(first_member + i);
    }
}

void ChangePointFinder::find(const TracedContour& contour, std::uint32_t index,
                             std::span<const Direction> directions, ChangePoints& result) {
    if (contour.size < 2) return; // a single pixel has no steps
    contour_ = contour;
    size_ = contour.size;
    map_steps();
    found_count_ = 0;
    found_ends_.clear();
    for (const Direction& direction : directions) {
        find_along(direction);
        found_ends_.push_back(static_cast<std::uint32_t>(found_count_));
    }
    append_found(index, directions, result);
}

} // namespace sprig
