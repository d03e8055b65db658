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
// Fields of a key by which change points are ordered along a contour.
constexpr unsigned direction_bits = 5;
constexpr unsigned turn_bits = 14;
constexpr std::int32_t after_all = (1 << turn_bits) - 1; // more than any angle until a flip

/// The turn from one step to the next, in 45 degrees, left positive.
int turn_between(Step from, Step to) {
    constexpr std::array<int, step_count> turns = {0, 1, 2, 3, half_turn, -3, -2, -1};
    return turns[static_cast<std::size_t>((to - from) & (step_count - 1))];
}

/// The first set bit at or after `from`; the number of bits if there is none.
std::size_t next_bit(std::span<const std::uint64_t> row, std::size_t from) {
    std::size_t word = from / steps_per_word;
    std::uint64_t bits = row[word] & (~std::uint64_t{0} << (from % steps_per_word));
    while (bits == 0) {
        if (++word == row.size()) return row.size() * steps_per_word;
        bits = row[word];
    }
    return (word * steps_per_word) + static_cast<std::size_t>(std::countr_zero(bits));
}

/// The last set bit before `end`. There must be one.
std::size_t last_bit(std::span<const std::uint64_t> row, std::size_t end) {
    std::size_t word = end / steps_per_word;
    const std::size_t within = end % steps_per_word;
    std::uint64_t bits = within == 0 ? 0 : row[word] & ((std::uint64_t{1} << within) - 1);
    while (bits == 0) bits = row[--word];
    return (word * steps_per_word) + steps_per_word - 1 - static_cast<std::size_t>(std::countl_zero(bits));
}

} // namespace

void ChangePoints::clear() {
    points.clear();
    ring_members.clear();
    ring_ends.clear();
}

void ChangePointFinder::map_steps() {
    steps_.resize((size_ + steps_per_word - 1) / steps_per_word);
    along_.resize(steps_.size());
    against_.resize(steps_.size());
    for (std::size_t word = 0; word < steps_.size(); ++word) {
        std::array<std::uint64_t, 3> bit{}; // of the number of each step
        const std::size_t begin = word * steps_per_word;
        const std::size_t count = std::min(steps_per_word, size_ - begin);
        for (std::size_t i = 0; i < count; i += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, contour_.steps.data() + begin + i, sizeof(eight));
            for (unsigned b = 0; b < bit.size(); ++b) bit[b] |= std::uint64_t{gather_bits(eight, b)} << i;
        }
        const std::uint64_t valid = ~std::uint64_t{0} >> (steps_per_word - count);
        const std::array low = {~bit[1] & ~bit[0], ~bit[1] & bit[0], bit[1] & ~bit[0], bit[1] & bit[0]};
        for (std::size_t step = 0; step < step_count; ++step)
            steps_[word][step] = valid & (step < 4 ? ~bit[2] : bit[2]) & low[step % 4];
    }
}

ChangePointFinder::Turn ChangePointFinder::turn_at_point(const Direction& direction, Step in,
                                                         Step out) const {
    const bool is_left = turn_between(in, out) > 0;
    return {is_left, is_left ? direction.left_until_flip[in] : direction.right_until_flip[in]};
}

/// The turn over a run of at least one step.
ChangePointFinder::Turn ChangePointFinder::turn_over(const Direction& direction, Run run) const {
    const Step in = step_at(run.before);
    const Step out = step_at(run.after);
    const Step across = step_at(run.before + 1);
    bool is_straight = true;
    for (std::size_t i = run.before + 2; i < run.after; ++i) is_straight &= step_at(i) == across;
    if (is_straight) return {turn_between(in, across) + turn_between(across, out) > 0, 0};

    int turned = 0;
    for (std::size_t i = run.before; i < run.after; ++i) turned += turn_between(step_at(i), step_at(i + 1));
    // The middle of the run may be the tip of a spike. If the tip were round, its side would go slightly
    // along or against the direction: the flip is after the tip or before it.
    const std::size_t tip = (run.before + run.after) / 2;
    if ((run.after - run.before) % 2 == 0 || turn_between(step_at(tip), step_at(tip + 1)) != half_turn)
        return {turned > 0, 0};
    const int side = direction.sign[(step_at(tip) + 2) % step_count];
    return {turned > 0, side == direction.sign[in] ? after_all : 0};
}

void ChangePointFinder::add_change_point(const Direction& direction, ChangeKind kind, Run run) {
    const std::size_t unwrapped = run.before + 1 + run.after; // the middle, in half steps
    const std::size_t place = unwrapped < 2 * size_ ? unwrapped : unwrapped - (2 * size_);
    const PixelPoint at = contour_.at_half_step(place);
    const Turn turn = run.after == run.before + 1
                          ? turn_at_point(direction, step_at(run.before), step_at(run.after))
                          : turn_over(direction, run);
    kind.convex = turn.is_left;
    found_.push_back({at.x, at.y, kind.index(), contour_index_, static_cast<std::uint32_t>(place), turn.order,
                      (at.x * direction.x) + (at.y * direction.y), 0});
}

/// Finds the flips once around the contour, from the first step that counts to itself.
void ChangePointFinder::find_along(const Direction& direction, std::uint32_t direction_index) {
    for (std::size_t word = 0; word < steps_.size(); ++word) {
        std::uint64_t along = 0;
        std::uint64_t against = 0;
        for (std::size_t i = 0; i < direction.step_total; ++i) {
            along |= steps_[word][direction.along_steps[i]];
            against |= steps_[word][direction.against_steps[i]];
        }
        along_[word] = along;
        against_[word] = against;
    }
    const std::size_t end = steps_.size() * steps_per_word;
    const std::size_t first_along = next_bit(along_, 0);
    const std::size_t first_against = next_bit(against_, 0);
    if (first_along == end || first_against == end) return; // a closed contour goes both ways, or neither
    const std::size_t first = std::min(first_along, first_against);
    const bool starts_along = first == first_along;
    ChangeKind kind{static_cast<int>(direction_index), starts_along, true};
    std::size_t flip = std::max(first_along, first_against);
    while (flip < end) {
        const std::span<const std::uint64_t> going = kind.maximum ? along_ : against_;
        add_change_point(direction, kind, {last_bit(going, flip), flip});
        flip = next_bit(going, flip);
        kind.maximum = !kind.maximum;
    }
    // Flips come in pairs: the last leads back to the direction of the first step.
    if (kind.maximum != starts_along)
        add_change_point(direction, kind, {last_bit(kind.maximum ? along_ : against_, size_), first + size_});
}

/// Ranks the found points by place, then turn, then direction.
void ChangePointFinder::rank_found() {
    constexpr std::size_t few_points = 48;
    constexpr std::size_t few_places = std::size_t{1} << (31U - turn_bits - direction_bits);
    found_.size() <= few_points && 2 * size_ <= few_places ? rank_few() : rank_many();
}

/// Counts for each point the ones before it, without branches and in vectors.
void ChangePointFinder::rank_few() {
    // Up to a multiple of four, for the vectors.
    const std::size_t count = found_.size();
    const std::size_t padded = (count + 3) & ~std::size_t{3};
    keys_.resize(padded);
    ranks_.resize(padded);
    for (std::size_t i = 0; i < count; ++i) {
        keys_[i] = static_cast<std::int32_t>((found_[i].place << (turn_bits + direction_bits)) |
                                             (static_cast<std::uint32_t>(found_[i].turn) << direction_bits) |
                                             found_[i].direction());
        ranks_[i] = 0;
    }
    std::uint32_t* ranks = ranks_.data();
    const std::int32_t* keys = keys_.data();
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t key = keys[i];
        for (std::size_t j = 0; j < padded; ++j) ranks[j] += keys[j] > key ? 1 : 0;
    }
}

void ChangePointFinder::rank_many() {
    ranks_.resize(found_.size());
    order_.resize(found_.size());
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
        const auto turn = static_cast<std::uint32_t>(found_[i].turn);
        const std::uint32_t at_place = (turn << direction_bits) | found_[i].direction();
        order_[i] = {(std::uint64_t{found_[i].place} << 32U) | at_place, i};
    }
    std::sort(order_.begin(), order_.end());
    for (std::uint32_t rank = 0; rank < order_.size(); ++rank) ranks_[order_[rank].second] = rank;
}

void ChangePointFinder::append_found(ChangePoints& result) {
    const auto base = static_cast<std::uint32_t>(result.points.size());
    const auto members = static_cast<std::uint32_t>(result.ring_members.size());
    result.points.resize(base + found_.size());
    result.ring_members.resize(members + found_.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const std::uint32_t index = base + ranks_[i];
        result.points[index] = found_[i];
        result.ring_members[members + i] = index;
    }
    for (const std::uint32_t end : found_ends_) result.ring_ends.push_back(members + end);
}

void ChangePointFinder::find(const TracedContour& contour, std::uint32_t index,
                             std::span<const Direction> directions, ChangePoints& result) {
    if (contour.size() < 2) return; // a single pixel has no steps
    contour_ = contour;
    size_ = contour.size();
    contour_index_ = index;
    map_steps();
    found_.clear();
    found_ends_.clear();
    for (std::uint32_t a = 0; a < directions.size(); ++a) {
        const std::size_t before = found_.size();
        find_along(directions[a], a);
        if (found_.size() > before) found_ends_.push_back(static_cast<std::uint32_t>(found_.size()));
    }
    rank_found();
    append_found(result);
}

} // namespace sprig
