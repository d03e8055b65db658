#include "constellation/unit_scorer.h"

#include <algorithm>
#include <bit>

#include "constellation/lanes.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

namespace {

/// The gain of placing a node: its maximum minus the logarithm of a product over the features of one plus the
/// squared deviation, each raised to its weight.
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
    }
    return most - (slope * logarithm(all));
}

/// The deviations of a node, for the default layout: see `FeatureSet::has_default_layout`.
struct DefaultDeviations {
    Lanes position; ///< by axis: one plus the squared deviation
    Lanes rest;     ///< the product of three such pairs

    DefaultDeviations(const double* row, const double* seen) {
        const auto deviations = [&](std::size_t feature) {
            const Lanes off = load_aligned_lanes(row + feature) - load_aligned_lanes(seen + feature);
            return 1 + (off * off * load_aligned_lanes(row + default_feature_count + feature));
        };
        position = deviations(0);
        rest = deviations(2) * deviations(4) * deviations(6);
    }
};

/// The gains of two pairs of a node and an observed node, bit for bit those of `gain_of`.
Lanes default_layout_gains(const DefaultDeviations& a, const DefaultDeviations& b, Lanes most, Lanes slope) {
    const Lanes position = first_lanes(a.position, b.position) * second_lanes(a.position, b.position);
    const Lanes rest = first_lanes(a.rest, b.rest) * second_lanes(a.rest, b.rest);
    const Lanes square = position * position;
    return most - (slope * logarithm((square * square) * (rest * rest)));
}

/// The largest number, or 0 if none is positive.
double max_gain(const double* gains, std::uint32_t count) {
    double best = 0;
    for (std::uint32_t i = 0; i < count; ++i) best = std::max(best, gains[i]);
    return best;
}

/// The two largest gains of a column, and the row of the largest.
struct ColumnBest {
    double best = 0;
    double next = 0;
    std::uint32_t row = unassigned;

    void add(double gain, std::uint32_t at) {
        if (gain <= next) return;
        next = std::min(gain, best);
        if (gain <= best) return;
        next = best;
        best = gain;
        row = at;
    }
};

/// The largest sum of gains in two columns: of both, or, if they are in the same row, of one and of the
/// second of the other.
double best_of_two_columns(const double* gains, std::uint32_t rows) {
    ColumnBest a;
    ColumnBest b;
    for (std::uint32_t r = 0; r < rows; ++r) {
        a.add(gains[r], r);
        b.add(gains[rows + r], r);
    }
    if (a.row != b.row || a.row == unassigned) return a.best + b.best;
    return std::max(a.best + b.next, a.next + b.best);
}

} // namespace

/// Lists all pairs of nodes of one type. There is room for one more, so that they can be taken two at a time.
void UnitScorer::collect_pairs(const Predictive& unit, const ObservationFeatures& observed) {
    std::size_t count = 0;
    for (std::size_t type = 0; type < observed.types(); ++type)
        count += std::size_t{unit.begin[type + 1] - unit.begin[type]} *
                 (observed.begin(type + 1) - observed.begin(type));
    pairs_.resize(count + 1);
    pair_gains_.resize(count + 1);
    Pair* pair = pairs_.data();
    for (std::size_t type = 0; type < observed.types(); ++type) {
        const std::uint32_t first = unit.begin[type];
        const std::uint32_t end = unit.begin[type + 1];
        const std::uint32_t end_seen = observed.begin(type + 1);
        for (std::uint32_t seen = observed.begin(type); seen < end_seen; ++seen)
            for (std::uint32_t node = first; node < end; ++node) *pair++ = {node, seen};
    }
    *pair = count == 0 ? Pair{} : pair[-1];
}

void UnitScorer::compute_gains(const Predictive& unit, const ObservationFeatures& observed) {
    const double* const rows = unit.rows.get();
    const double* const features = observed.features(0);
    const double* const surprise = observed.surprises();
    const std::size_t count = pairs_.size() - 1;
    if (!set_.has_default_layout) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto [node, seen] = pairs_[i];
            pair_gains_[i] = gain_of(rows + (node * 2 * set_.size()), features + (seen * set_.size()), set_,
                                     unit.gain[node] + surprise[seen], unit.slope[node]);
        }
        return;
    }
    const auto deviations = [&](const Pair& pair) {
        return DefaultDeviations(rows + (std::size_t{pair.node} * 2 * default_feature_count),
                                 features + (std::size_t{pair.seen} * default_feature_count));
    };
    for (std::size_t i = 0; i < count; i += 2) {
        const Pair a = pairs_[i];
        const Pair b = pairs_[i + 1];
        const Lanes most =
            Lanes{unit.gain[a.node], unit.gain[b.node]} + Lanes{surprise[a.seen], surprise[b.seen]};
        store_lanes(pair_gains_.data() + i,
                    default_layout_gains(deviations(a), deviations(b), most,
                                         Lanes{unit.slope[a.node], unit.slope[b.node]}));
    }
}

/// Finds the two best columns of each row.
void UnitScorer::choose_columns() {
    const double* gain = table_.gains.data();
    for (std::uint32_t r = 0; r < table_.rows; ++r) {
        Choice choice;
        for (std::uint32_t c = 0; c < table_.columns; ++c, ++gain) {
            if (*gain <= choice.next) continue;
            if (*gain > choice.best) {
                choice.next = choice.best;
                choice.next_column = choice.column;
                choice.best = *gain;
                choice.column = c;
            } else {
                choice.next = *gain;
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

/// The sum of the gains placed; `choices_` then has the assigned column of each row.
double UnitScorer::assign_columns(const double* gains, std::uint32_t rows, std::uint32_t columns) {
    table_.resize(rows, columns);
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) table_.at(r, c) = gains[(c * rows) + r];
    if (choices_.size() < rows) choices_.resize(rows);
    const bool optimal = params_.assignment == ConstellationParams::Assignment::optimal;
    double sum = 0;
    if (optimal && columns <= 64) {
        choose_columns();
        if (assign_choices(sum)) return sum;
    }
    sum = optimal ? assigner_.optimal(table_) : assigner_.greedy(table_);
    for (std::uint32_t r = 0; r < rows; ++r) choices_[r].column = assigner_.columns()[r];
    return sum;
}

/// The sum of the gains placed. With one or two columns it is found without an assignment.
double UnitScorer::best_sum(const double* gains, std::uint32_t rows, std::uint32_t columns) {
    if (columns == 1 || rows == 1) return max_gain(gains, rows * columns);
    if (columns == 2 && params_.assignment == ConstellationParams::Assignment::optimal)
        return best_of_two_columns(gains, rows);
    return assign_columns(gains, rows, columns);
}

template <bool recorded>
double UnitScorer::place_all(const Predictive& unit, const ObservationFeatures& observed) {
    collect_pairs(unit, observed);
    compute_gains(unit, observed);
    if constexpr (recorded) {
        placed_.assign(unit.size(), unassigned);
        gains_.assign(unit.size(), 0.0);
    }
    const double* gains = pair_gains_.data();
    double sum = unit.all_absent;
    for (std::size_t type = 0; type < observed.types(); ++type) {
        const std::uint32_t rows = unit.begin[type + 1] - unit.begin[type];
        const std::uint32_t columns = observed.begin(type + 1) - observed.begin(type);
        if (rows == 0 || columns == 0) continue;
        sum += recorded ? assign_columns(gains, rows, columns) : best_sum(gains, rows, columns);
        for (std::uint32_t r = 0; recorded && r < rows; ++r) {
            const std::uint32_t column = choices_[r].column;
            if (column == unassigned) continue;
            placed_[unit.begin[type] + r] = observed.begin(type) + column;
            gains_[unit.begin[type] + r] = gains[(column * rows) + r];
        }
        gains += std::size_t{rows} * columns;
    }
    return sum;
}

double UnitScorer::score(const Predictive& unit, const ObservationFeatures& observed) {
    return place_all<false>(unit, observed);
}

double UnitScorer::place(const Predictive& unit, const ObservationFeatures& observed) {
    return place_all<true>(unit, observed);
}

} // namespace sprig::constellation
