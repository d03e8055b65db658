#include "constellation/unit_scorer.h"

#include <algorithm>
#include <bit>

#include "constellation/lanes.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

namespace {

/// An upper bound of the gain from one type: pairs the k-th largest gain with the k-th largest surprise.
double bound_of_type(const Predictive& unit, const ObservationFeatures& observed, std::size_t type) {
    const std::uint32_t count =
        std::min(unit.begin[type + 1] - unit.begin[type], observed.begin(type + 1) - observed.begin(type));
    double sum = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const double most =
            unit.ranked_gain[unit.begin[type] + k] + observed.ranked_surprise(observed.begin(type) + k);
        if (most <= 0) break;
        sum += most;
    }
    return sum;
}

/// The gain of placing a node: its maximum minus the logarithm of a product over the features of one plus the
/// squared deviation, each raised to its weight. If the gain is not positive, the result is only some value
/// of at most 0: most pairs are too far apart, and this saves the other features and the logarithm.
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
        all *= int_power(product, group.quarters);
        const double at_most = most - (slope * log_lower_bound(all));
        if (at_most <= 0) return at_most;
    }
    return most - (slope * logarithm(all));
}

Lanes deviations(const double* row, const double* seen, const double* factors) {
    const Lanes off = load_lanes(seen) - load_lanes(row);
    return 1 + (off * off * load_lanes(factors));
}

/// The same, bit for bit, for the default layout: see `FeatureSet::has_default_layout`.
double default_layout_gain(const double* row, const double* seen, double most, double slope) {
    const double* factors = row + default_feature_count;
    const Lanes position = deviations(row, seen, factors);
    double all = int_power(position[0] * position[1], 4);
    const double at_most = most - (slope * log_lower_bound(all));
    if (at_most <= 0) return at_most;
    const Lanes rest = deviations(row + 2, seen + 2, factors + 2) *
                       deviations(row + 4, seen + 4, factors + 4) *
                       deviations(row + 6, seen + 6, factors + 6);
    all *= int_power(rest[0] * rest[1], 2);
    return most - (slope * logarithm(all));
}

} // namespace

double UnitScorer::bound(const Predictive& unit, const ObservationFeatures& observed) {
    double sum = unit.all_absent;
    for (std::size_t type = 0; type < observed.types(); ++type) sum += bound_of_type(unit, observed, type);
    return sum;
}

/// Fills in the gains of one type and the two best columns of each of its nodes.
template <bool has_default_layout>
void UnitScorer::fill_table(const Predictive& unit, const ObservationFeatures& observed, std::size_t type) {
    const std::uint32_t first_node = unit.begin[type];
    const std::uint32_t first_seen = observed.begin(type);
    table_.resize(unit.begin[type + 1] - first_node, observed.begin(type + 1) - first_seen);
    if (choices_.size() < table_.rows) choices_.resize(table_.rows);
    const std::uint32_t columns = table_.columns;
    const std::size_t width = has_default_layout ? default_feature_count : set_.size();
    const double* row = unit.rows.data() + (first_node * width * 2);
    double* gains = table_.gains.data();
    for (std::uint32_t r = 0; r < table_.rows; ++r, row += 2 * width, gains += columns) {
        const double own = unit.gain[first_node + r];
        const double slope = unit.slope[first_node + r];
        const double* seen = observed.features(first_seen);
        Choice choice;
        for (std::uint32_t c = 0; c < columns; ++c, seen += width) {
            const double most = own + observed.surprise(first_seen + c);
            const double gain = has_default_layout ? default_layout_gain(row, seen, most, slope)
                                                   : gain_of(row, seen, set_, most, slope);
            gains[c] = gain;
            if (gain <= choice.next) continue;
            if (gain > choice.best) {
                choice.next = choice.best;
                choice.next_column = choice.column;
                choice.best = gain;
                choice.column = c;
            } else {
                choice.next = gain;
                choice.next_column = c;
            }
        }
        choices_[r] = choice;
    }
}

/// Assigns each node its best column. If several nodes have the same best column, the one with the largest
/// regret keeps it and the others take their second best. The result is optimal. Returns false if a second
/// best column is also taken.
bool UnitScorer::assign_choices(double& sum) {
    std::uint64_t taken = 0;
    std::uint64_t disputed = 0;
    const std::span choices(choices_.data(), table_.rows);
    for (const Choice& choice : choices) {
        if (choice.column == unassigned) continue;
        const std::uint64_t bit = std::uint64_t{1} << choice.column;
        disputed |= taken & bit;
        taken |= bit;
    }
    for (; disputed != 0; disputed &= disputed - 1) {
        const auto column = static_cast<std::uint32_t>(std::countr_zero(disputed));
        const Choice* owner = nullptr;
        for (const Choice& choice : choices) {
            if (choice.column == column && (owner == nullptr || choice.regret() > owner->regret()))
                owner = &choice;
        }
        for (Choice& choice : choices) {
            if (choice.column != column || &choice == owner) continue;
            choice.best = choice.next;
            choice.column = choice.next_column;
            if (choice.column == unassigned) continue;
            const std::uint64_t bit = std::uint64_t{1} << choice.column;
            if ((taken & bit) != 0) return false;
            taken |= bit;
        }
    }
    sum = 0;
    for (const Choice& choice : choices) sum += choice.best;
    return true;
}

/// Places the nodes of one type. `choices_` then has the assigned column of each.
double UnitScorer::place_type(const Predictive& unit, const ObservationFeatures& observed, std::size_t type) {
    set_.has_default_layout ? fill_table<true>(unit, observed, type)
                            : fill_table<false>(unit, observed, type);
    const bool optimal = params_.assignment == ConstellationParams::Assignment::optimal;
    double sum = 0;
    if (optimal && table_.columns <= 64 && assign_choices(sum)) return sum;
    sum = optimal ? assigner_.optimal(table_) : assigner_.greedy(table_);
    for (std::uint32_t r = 0; r < table_.rows; ++r) choices_[r].column = assigner_.columns()[r];
    return sum;
}

template <bool recorded>
double UnitScorer::place_all(const Predictive& unit, const ObservationFeatures& observed, double bound,
                             double floor) {
    if constexpr (recorded) {
        placed_.assign(unit.size(), unassigned);
        gains_.assign(unit.size(), 0.0);
    }
    double sum = unit.all_absent;
    for (std::size_t type = 0; type < observed.types(); ++type) {
        if (unit.begin[type] == unit.begin[type + 1] || observed.begin(type) == observed.begin(type + 1))
            continue;
        const double gained = place_type(unit, observed, type);
        sum += gained;
        if constexpr (recorded) record(unit, observed, type);
        if (floor == -std::numeric_limits<double>::infinity()) continue;
        bound -= bound_of_type(unit, observed, type) - gained;
        if (bound < floor - rounding_margin) return -std::numeric_limits<double>::infinity();
    }
    return sum;
}

void UnitScorer::record(const Predictive& unit, const ObservationFeatures& observed, std::size_t type) {
    for (std::uint32_t r = 0; r < table_.rows; ++r) {
        const std::uint32_t column = choices_[r].column;
        if (column == unassigned) continue;
        placed_[unit.begin[type] + r] = observed.begin(type) + column;
        gains_[unit.begin[type] + r] = table_.at(r, column);
    }
}

double UnitScorer::score(const Predictive& unit, const ObservationFeatures& observed, double bound,
                         double floor) {
    return place_all<false>(unit, observed, bound, floor);
}

double UnitScorer::place(const Predictive& unit, const ObservationFeatures& observed, double bound,
                         double floor) {
    return place_all<true>(unit, observed, bound, floor);
}

} // namespace sprig::constellation
