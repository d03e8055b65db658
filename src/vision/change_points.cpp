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
    words_ = (size_ + steps_per_word - 1) / steps_per_word;
    is_step_.resize(words_ * step_count);
    for (std::size_t word = 0; word < words_; ++word) {
        std::array<std::uint64_t, 3> bit{}; // of the number of each step
        const std::size_t begin = word * steps_per_word;
        const std::size_t count = std::min(steps_per_word, size_ - begin);
        for (std::size_t i = 0; i < count; i += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, contour_.steps.data() + begin + i, std::min<std::size_t>(8, count - i));
            for (unsigned b = 0; b < bit.size(); ++b) bit[b] |= std::uint64_t{gather_bits(eight, b)} << i;
        }
        const std::uint64_t valid = ~std::uint64_t{0} >> (steps_per_word - count);
        for (std::size_t step = 0; step < step_count; ++step) {
            std::uint64_t is_step = valid;
            for (unsigned b = 0; b < bit.size(); ++b) is_step &= ((step >> b) & 1U) != 0 ? bit[b] : ~bit[b];
            is_step_[(step * words_) + word] = is_step;
        }
    }
}

void ChangePointFinder::unite(std::span<const Step> steps, BitRow& result) const {
    result.assign(words_, 0);
    for (const Step step : steps) {
        const std::uint64_t* row = is_step_.data() + (step * words_);
        for (std::size_t word = 0; word < words_; ++word) result[word] |= row[word];
    }
}

int ChangePointFinder::turn_over(Run run) const {
    int turned = 0;
    Step from = step_at(run.before);
    for (std::size_t i = run.before; i < run.after; ++i) {
        const Step to = step_at(i + 1);
        turned += turn_between(from, to);
        from = to;
    }
    return turned;
}

std::int32_t ChangePointFinder::order_at_place(const Direction& direction, Run run, int turned) const {
    if (run.after == run.before + 1) {
        const Step in = step_at(run.before);
        return turned > 0 ? direction.left_until_flip[in] : direction.right_until_flip[in];
    }
    // The middle of the run is the tip of a spike. If the tip were round, its side would go slightly along or
    // against the direction: the flip is after the tip or before it.
    const std::size_t tip = (run.before + run.after) / 2;
    if ((run.after - run.before) % 2 == 0 || turn_between(step_at(tip), step_at(tip + 1)) != half_turn)
        return 0;
    const int side = direction.sign[(step_at(tip) + 2) % step_count];
    constexpr std::int32_t after_all = 1 << 20;
    return side == direction.sign[step_at(run.before)] ? after_all : 0;
}

ChangePoint ChangePointFinder::make_change_point(const Direction& direction, std::uint32_t direction_index,
                                                 Run run) const {
    const std::size_t unwrapped = run.before + 1 + run.after; // the middle, in half steps
    const std::size_t place = unwrapped < 2 * size_ ? unwrapped : unwrapped - (2 * size_);
    const PixelPoint at = contour_.at_half_step(place);
    const int turned = turn_over(run);

    ChangePoint point;
    point.x2 = at.x;
    point.y2 = at.y;
    point.type =
        ChangeKind{static_cast<int>(direction_index), direction.sign[step_at(run.before)] > 0, turned > 0}
            .index();
    point.contour = contour_index_;
    point.place = static_cast<std::uint32_t>(place);
    point.turn = order_at_place(direction, run, turned);
    point.projection = (point.x2 * direction.x) + (point.y2 * direction.y);
    return point;
}

/// Finds the flips once around the contour, from the first step that counts to itself.
void ChangePointFinder::find_along(const Direction& direction, std::uint32_t direction_index) {
    unite(direction.along(), along_);
    unite(direction.against(), against_);
    const std::size_t end = words_ * steps_per_word;
    const std::size_t first_along = next_bit(along_, 0);
    const std::size_t first_against = next_bit(against_, 0);
    if (first_along == end || first_against == end) return; // a closed contour goes both ways, or neither
    const std::size_t first = std::min(first_along, first_against);
    const BitRow* going = first == first_along ? &along_ : &against_;
    const BitRow* opposite = first == first_along ? &against_ : &along_;
    for (std::size_t flip = next_bit(*opposite, first); flip < end; flip = next_bit(*opposite, flip)) {
        found_.push_back(make_change_point(direction, direction_index, {last_bit(*going, flip), flip}));
        std::swap(going, opposite);
    }
    // Flips come in pairs: the last leads back to the direction of the first step.
    if (going != (first == first_along ? &along_ : &against_)) {
        found_.push_back(
            make_change_point(direction, direction_index, {last_bit(*going, size_), first + size_}));
    }
}

/// Ranks the found points by place, then turn, by counting for each the ones before it: they are few, and
/// this needs no branches.
void ChangePointFinder::rank_found() {
    const std::size_t count = found_.size();
    keys_.resize(count);
    ranks_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i)
        keys_[i] = (std::uint64_t{found_[i].place} << 32U) | static_cast<std::uint32_t>(found_[i].turn);
    constexpr std::size_t few = 128;
    if (count > few) {
        order_.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) order_[i] = i;
        std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
            return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
        });
        for (std::uint32_t rank = 0; rank < count; ++rank) ranks_[order_[rank]] = rank;
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
            const std::uint32_t is_before = keys_[j] < keys_[i] ? 1 : 0;
            ranks_[i] += is_before;
            ranks_[j] += 1 - is_before;
        }
    }
}

void ChangePointFinder::append_found(ChangePoints& result) {
    const std::size_t base = result.points.size();
    result.points.resize(base + found_.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const std::size_t index = base + ranks_[i];
        result.points[index] = found_[i];
        result.ring_members.push_back(static_cast<std::uint32_t>(index));
    }
    const std::size_t members = result.ring_members.size() - found_.size();
    for (const std::size_t end : found_ends_)
        result.ring_ends.push_back(static_cast<std::uint32_t>(members + end));
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
        find_along(directions[a], a);
        if (found_.size() > (found_ends_.empty() ? 0 : found_ends_.back()))
            found_ends_.push_back(found_.size());
    }
    rank_found();
    append_found(result);
}

} // namespace sprig
