#include "constellation/explainer.h"

#include <algorithm>
#include <bit>

#include "constellation/lanes.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

namespace {

/// More than what rounding can add up to: nothing is given up that might still reach the floor.
constexpr double rounding = 1e-6;

/// The most that the nodes of one type can gain: best gain with greatest surprise, and so on.
double bound_of_type(const Predictive& unit, const Sight& sight, std::size_t type) {
    const std::uint32_t count =
        std::min(unit.begin[type + 1] - unit.begin[type], sight.begin(type + 1) - sight.begin(type));
    double sum = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const double most =
            unit.ranked_gain[unit.begin[type] + k] + sight.ranked_surprise(sight.begin(type) + k);
        if (most <= 0) break;
        sum += most;
    }
    return sum;
}

/// What placing a node gains: the most it can gain less the logarithm of a product, one plus the squared
/// deviation of every feature, each to the power of its weight. Where nothing can be gained any more it is
/// some number of at most 0: most pairs lie too far apart, and need neither all features nor a logarithm.
double gain_of(const double* row, const double* seen, const FeatureSet& set, double most, double slope) {
    const double* factors = row + set.size();
    double all = 1;
    for (const FeatureGroup& group : set.groups) {
        Lanes products = {1, 1};
        std::size_t f = group.first;
        for (; f + 1 < group.end; f += 2) {
            const Lanes off = load_lanes(seen + f) - load_lanes(row + f);
            products *= 1 + (off * off * load_lanes(factors + f));
        }
        double product = products[0] * products[1];
        if (f < group.end) {
            const double off = seen[f] - row[f];
            product *= 1 + (off * off * factors[f]);
        }
        all *= to_quarters(product, group.quarters);
        const double at_most = most - (slope * logarithm_at_least(all));
        if (at_most <= 0) return at_most;
    }
    return most - (slope * logarithm(all));
}

Lanes deviations(const double* row, const double* seen, const double* factors) {
    const Lanes off = load_lanes(seen) - load_lanes(row);
    return 1 + (off * off * load_lanes(factors));
}

/// The same, bit for bit, for the layout that nearly everybody has: see `FeatureSet::is_usual`.
double usual_gain_of(const double* row, const double* seen, double most, double slope) {
    const double* factors = row + usual_features;
    const Lanes position = deviations(row, seen, factors);
    double all = to_quarters(position[0] * position[1], 4);
    const double at_most = most - (slope * logarithm_at_least(all));
    if (at_most <= 0) return at_most;
    const Lanes rest = deviations(row + 2, seen + 2, factors + 2) *
                       deviations(row + 4, seen + 4, factors + 4) *
                       deviations(row + 6, seen + 6, factors + 6);
    all *= to_quarters(rest[0] * rest[1], 2);
    return most - (slope * logarithm(all));
}

} // namespace

double Explainer::bound(const Predictive& unit, const Sight& sight) {
    double sum = unit.nothing_placed;
    for (std::size_t type = 0; type < sight.types(); ++type) sum += bound_of_type(unit, sight, type);
    return sum;
}

/// Fills in the table of gains of one type, and what each of its nodes would like best and next best.
void Explainer::tabulate(const Predictive& unit, const Sight& sight, std::size_t type) {
    const std::uint32_t first_node = unit.begin[type];
    const std::uint32_t first_seen = sight.begin(type);
    table_.resize(unit.begin[type + 1] - first_node, sight.begin(type + 1) - first_seen);
    wishes_.resize(table_.rows);
    for (std::uint32_t r = 0; r < table_.rows; ++r) {
        const std::size_t node = first_node + r;
        const double* row = unit.rows.data() + (node * set_.size() * 2);
        Wish wish;
        for (std::uint32_t c = 0; c < table_.columns; ++c) {
            const double most = unit.gain[node] + sight.surprise(first_seen + c);
            const double* seen = sight.features(first_seen + c);
            const double gain = set_.is_usual ? usual_gain_of(row, seen, most, unit.slope[node])
                                              : gain_of(row, seen, set_, most, unit.slope[node]);
            table_.at(r, c) = gain;
            if (gain > wish.best) {
                wish.next = wish.best;
                wish.next_column = wish.column;
                wish.best = gain;
                wish.column = c;
            } else if (gain > wish.next) {
                wish.next = gain;
                wish.next_column = c;
            }
        }
        wishes_[r] = wish;
    }
}

/// Gives each node its best place. Where several want the same, the one that would lose most by going has
/// it, and the others take their next best: nothing can be better than that. Fails if that place is wanted,
/// too.
bool Explainer::fulfil_wishes(double& sum) {
    std::uint64_t wanted = 0;
    std::uint64_t disputed = 0;
    for (const Wish& wish : wishes_) {
        if (wish.column == nowhere) continue;
        const std::uint64_t bit = std::uint64_t{1} << wish.column;
        disputed |= wanted & bit;
        wanted |= bit;
    }
    for (; disputed != 0; disputed &= disputed - 1) {
        const auto column = static_cast<std::uint32_t>(std::countr_zero(disputed));
        const Wish* owner = nullptr;
        for (const Wish& wish : wishes_) {
            if (wish.column == column && (owner == nullptr || wish.regret() > owner->regret())) owner = &wish;
        }
        for (Wish& wish : wishes_) {
            if (wish.column != column || &wish == owner) continue;
            wish.best = wish.next;
            wish.column = wish.next_column;
            if (wish.column == nowhere) continue;
            const std::uint64_t bit = std::uint64_t{1} << wish.column;
            if ((wanted & bit) != 0) return false;
            wanted |= bit;
        }
    }
    sum = 0;
    for (const Wish& wish : wishes_) sum += wish.best;
    return true;
}

/// Places the nodes of one type; leaves in `wishes_` for each of them the column it was given.
double Explainer::place_type(const Predictive& unit, const Sight& sight, std::size_t type) {
    tabulate(unit, sight, type);
    const bool optimal = params_.assignment == ConstellationParams::Assignment::optimal;
    double sum = 0;
    if (optimal && table_.columns <= 64 && fulfil_wishes(sum)) return sum;
    sum = optimal ? assigner_.optimal(table_) : assigner_.greedy(table_);
    for (std::uint32_t r = 0; r < table_.rows; ++r) wishes_[r].column = assigner_.columns()[r];
    return sum;
}

double Explainer::explain(const Predictive& unit, const Sight& sight, double bound, double floor) {
    double sum = unit.nothing_placed;
    for (std::size_t type = 0; type < sight.types(); ++type) {
        if (unit.begin[type] == unit.begin[type + 1] || sight.begin(type) == sight.begin(type + 1)) continue;
        const double gained = place_type(unit, sight, type);
        sum += gained;
        if (floor == -std::numeric_limits<double>::infinity()) continue;
        bound -= bound_of_type(unit, sight, type) - gained;
        if (bound < floor - rounding) return -std::numeric_limits<double>::infinity();
    }
    return sum;
}

double Explainer::place(const Predictive& unit, const Sight& sight) {
    placed_.assign(unit.size(), nowhere);
    gains_.assign(unit.size(), 0.0);
    double sum = unit.nothing_placed;
    for (std::size_t type = 0; type < sight.types(); ++type) {
        sum += place_type(unit, sight, type);
        for (std::uint32_t r = 0; r < table_.rows; ++r) {
            const std::uint32_t column = wishes_[r].column;
            if (column == nowhere) continue;
            placed_[unit.begin[type] + r] = sight.begin(type) + column;
            gains_[unit.begin[type] + r] = table_.at(r, column);
        }
    }
    return sum;
}

} // namespace sprig::constellation
