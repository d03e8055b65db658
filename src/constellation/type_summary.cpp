#include "constellation/type_summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace sprig::constellation {

namespace {

constexpr double per_nat = 8; // see UnitSummary::nats

// With these limits nothing exceeds a short integer.
constexpr std::int16_t most_nodes = 63;
constexpr double most_per_node = 440; // times most_nodes plus most_per_type: below 2^15
/// Of a unit, and of an observation: twice this is added up over all blocks.
double most_per_type(std::size_t blocks) {
    constexpr double most_in_all = 16000;
    constexpr double most = 4000;
    return std::min(most, most_in_all / static_cast<double>(blocks));
}

double rounded_up(double nats) {
    return std::ceil(nats * per_nat);
}

std::int16_t short_of(double value) {
    return static_cast<std::int16_t>(value);
}

} // namespace

UnitSummary::UnitSummary(const Predictive& unit, double least_surprise, Sketch sketch)
    : all_absent_(unit.all_absent), values_(3 * blocks(unit.begin.size() - 1)), sketch_(std::move(sketch)) {
    const std::size_t types = unit.begin.size() - 1;
    for (std::size_t type = 0; type < types; ++type) {
        Shorts* const block = values_.data() + (3 * (type / short_lanes));
        const std::size_t lane = type % short_lanes;
        double most = 0;
        double all = 0;
        for (std::size_t node = unit.begin[type]; node < unit.begin[type + 1]; ++node) {
            const double term = std::max(0.0, unit.gain[node] + least_surprise);
            most = std::max(most, term);
            all += term;
        }
        most = rounded_up(most);
        all = rounded_up(all);
        const std::size_t count = unit.begin[type + 1] - unit.begin[type];
        is_usable_ = is_usable_ && count <= static_cast<std::size_t>(most_nodes) && most <= most_per_node &&
                     all <= most_per_type(blocks(types));
        if (!is_usable_) return;
        block[0][lane] = static_cast<std::int16_t>(count);
        block[1][lane] = short_of(most);
        block[2][lane] = short_of(all);
    }
}

/// A line is above a sum if it is so at every number of nodes: the intercept is chosen for that.
void ObservationSummary::set_type(Block& block, std::size_t lane, std::span<const double> ranked_surprises,
                                  double least_surprise) {
    const std::size_t count = ranked_surprises.size();
    sums_.assign(1, 0);
    double sum = 0;
    for (const double surprise : ranked_surprises) {
        sum += std::max(0.0, surprise - least_surprise);
        sums_.push_back(rounded_up(sum));
    }
    const auto line = [&](std::size_t at, Shorts& slopes, Shorts& intercepts) {
        const double slope = std::min(most_per_node, sums_[at] - sums_[at - 1]);
        double intercept = 0;
        for (std::size_t k = 0; k <= count; ++k)
            intercept = std::max(intercept, sums_[k] - (slope * static_cast<double>(k)));
        slopes[lane] = short_of(slope);
        intercepts[lane] = short_of(intercept);
    };
    is_usable_ = is_usable_ && sums_.back() <= most_per_type(blocks_.size());
    if (!is_usable_ || count == 0) return;
    block.count[lane] = static_cast<std::int16_t>(std::min<std::size_t>(count, most_nodes));
    block.all[lane] = short_of(sums_.back());
    line(1, block.first_slope, block.first_intercept);
    line((count + 1) / 2, block.second_slope, block.second_intercept);
}

void ObservationSummary::assign(const ObservationFeatures& observed, double least_surprise) {
    const std::size_t types = observed.types();
    is_usable_ = true;
    blocks_.assign(UnitSummary::blocks(types), Block{});
    for (std::size_t type = 0; type < types; ++type)
        set_type(blocks_[type / short_lanes], type % short_lanes, observed.ranked_surprises(type),
                 least_surprise);
}

inline Shorts ObservationSummary::gains_of(const Shorts* unit, const Block& seen) {
    const Shorts count = smaller(unit[0], seen.count);
    const Shorts of_unit = smaller(unit[2], unit[1] * count);
    const Shorts of_observed = smaller(smaller(seen.all, seen.first_intercept + (seen.first_slope * count)),
                                       seen.second_intercept + (seen.second_slope * count));
    return of_unit + of_observed;
}

void ObservationSummary::gains_by_type(const Shorts* unit, std::vector<std::int16_t>& gains) const {
    for (std::size_t type = 0; type < gains.size(); type += short_lanes) {
        const Shorts of_block = gains_of(unit + (3 * (type / short_lanes)), blocks_[type / short_lanes]);
        for (std::size_t lane = 0; lane < std::min(short_lanes, gains.size() - type); ++lane)
            gains[type + lane] = of_block[lane];
    }
}

double ObservationSummary::greatest_gain(const Shorts* unit) const {
    Shorts sum{};
    for (const Block& seen : blocks_) {
        sum += gains_of(unit, seen);
        unit += 3;
    }
    // The integers are not negative, so two of them fit side by side in one that is twice as wide.
    using Pairs = std::uint32_t __attribute__((vector_size(16)));
    const auto pairs = std::bit_cast<Pairs>(sum);
    const Pairs both = (pairs & 0xffffU) + (pairs >> 16U);
    return UnitSummary::nats(both[0] + both[1] + both[2] + both[3]);
}

} // namespace sprig::constellation
