#include "constellation/unit_scorer.h"

#include <algorithm>
#include <bit>

#include "constellation/layout.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

/// The gains of two nodes, or of one node on two observed nodes: the maximum of each minus the logarithm of
/// the product of its deviations.
template <typename Layout>
[[gnu::always_inline]] inline Lanes gains_of(const Lanes* pair, const Lanes* seen, const Layout& layout) {
    const Lanes all = product_of_deviations(pair + 2, pair + 2 + layout.width, seen + 1, layout);
    return pair[0] + seen[0] - (pair[1] * logarithm(all));
}

/// The nodes of one type, in pairs, and the observed nodes of the type. If the unit has only one node of the
/// type, the observed nodes come in pairs.
template <typename Layout>
struct TypePairs {
    const Lanes* begin;
    const Lanes* end;
    const Lanes* seen;
    const Lanes* end_of_seen;
    std::size_t step; ///< from one observed node, or pair of them, to the next

    TypePairs(const Lanes* pairs, std::uint32_t rows, const ObservationFeatures& observed,
              std::uint32_t first_seen, std::uint32_t columns, const Layout& layout)
        : begin(pairs), end(pairs + ((rows + std::size_t{1}) / 2 * Predictive::pair_size(layout.width))) {
        const std::size_t size = 1 + layout.width;
        seen = (rows == 1 ? observed.pairs() : observed.doubled()) + (first_seen * size);
        step = rows == 1 ? 2 * size : size;
        end_of_seen = seen + ((rows == 1 ? columns + (columns % 2) : columns) * size);
    }

    /// Calls `use` with the gains of all pairs, by observed node.
    template <typename Use>
    [[gnu::always_inline]] void each(const Layout& layout, Use use) const {
        for (const Lanes* at = seen; at != end_of_seen; at += step)
            for (const Lanes* pair = begin; pair != end; pair += Predictive::pair_size(layout.width))
                use(gains_of(pair, at, layout));
    }
};

namespace {

/// The two largest gains of a row or column, and where the largest is.
struct TwoLargest {
    double best = 0;
    double next = 0;
    std::uint32_t at = unassigned;

    void add(double gain, std::uint32_t where) {
        if (gain <= next) return;
        next = std::min(gain, best);
        if (gain <= best) return;
        next = best;
        best = gain;
        at = where;
    }
    [[nodiscard]] double regret() const { return best - next; }
};

/// The largest sum of gains in two columns: of both, or, if they are in the same row, of one and of the
/// second of the other.
double best_of_two_columns(const TypeGains& gains) {
    TwoLargest a;
    TwoLargest b;
    for (std::uint32_t r = 0; r < gains.rows; ++r) {
        a.add(gains.at(r, 0), r);
        b.add(gains.at(r, 1), r);
    }
    if (a.at != b.at || a.at == unassigned) return a.best + b.best;
    return std::max(a.best + b.next, a.next + b.best);
}

/// The same of two rows. As in `assign_choices`, the row with the larger regret keeps a disputed column.
double best_of_two_rows(const TypeGains& gains) {
    TwoLargest a;
    TwoLargest b;
    for (std::uint32_t c = 0; c < gains.columns; ++c) {
        a.add(gains.at(0, c), c);
        b.add(gains.at(1, c), c);
    }
    if (a.at != b.at || a.at == unassigned) return a.best + b.best;
    return b.regret() > a.regret() ? a.next + b.best : a.best + b.next;
}

} // namespace

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

/// Assigns the pair with the largest gain, in one row or column.
double UnitScorer::choose_one(const TypeGains& gains) {
    TwoLargest largest;
    const std::uint32_t count = std::max(gains.rows, gains.columns);
    for (std::uint32_t i = 0; i < count; ++i)
        largest.add(gains.rows == 1 ? gains.at(0, i) : gains.at(i, 0), i);
    for (std::uint32_t r = 0; r < gains.rows; ++r) choices_[r].column = unassigned;
    if (largest.at != unassigned) {
        const bool is_row = gains.rows == 1;
        choices_[is_row ? 0 : largest.at].column = is_row ? largest.at : 0;
    }
    return largest.best;
}

/// The sum of the gains placed; `choices_` then has the assigned column of each row.
double UnitScorer::assign_columns(const TypeGains& gains) {
    const auto [rows, columns, lanes] = gains;
    if (choices_.size() < rows) choices_.resize(rows);
    if (rows == 1 || columns == 1) return choose_one(gains);
    table_.resize(rows, columns);
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) table_.at(r, c) = gains.at(r, c);
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

/// The sum of the gains placed. With two rows or columns it is found without an assignment.
double UnitScorer::best_sum(const TypeGains& gains) {
    if (params_.assignment == ConstellationParams::Assignment::optimal) {
        if (gains.columns == 2) return best_of_two_columns(gains);
        if (gains.rows == 2) return best_of_two_rows(gains);
    }
    return assign_columns(gains);
}

/// Calls `use` with each type that both the unit and the observation have nodes of.
template <typename Layout, typename Use>
[[gnu::always_inline]] inline void UnitScorer::each_type(const Predictive& unit,
                                                         const ObservationFeatures& observed,
                                                         const Layout& layout, Use use) {
    const Lanes* pairs = unit.pairs.get();
    const std::uint32_t* const begin = unit.begin.data();
    const std::uint32_t* const begin_seen = observed.begins().data();
    const auto types = static_cast<std::uint32_t>(observed.types());
    for (std::uint32_t type = 0; type < types; ++type) {
        const std::uint32_t rows = begin[type + 1] - begin[type];
        const std::uint32_t columns = begin_seen[type + 1] - begin_seen[type];
        if (rows == 0) continue;
        if (columns == 0) {
            pairs += (rows + std::size_t{1}) / 2 * Predictive::pair_size(layout.width);
            continue;
        }
        const TypePairs<Layout> of_type(pairs, rows, observed, begin_seen[type], columns, layout);
        pairs = of_type.end;
        use(type, rows, columns, of_type);
    }
}

template <typename Layout>
TypeGains UnitScorer::compute_gains(std::uint32_t rows, std::uint32_t columns,
                                    const TypePairs<Layout>& of_type, const Layout& layout) {
    const std::size_t most = (rows + std::size_t{1}) / 2 * columns;
    if (lanes_.size() < most) lanes_.resize(most);
    Lanes* to = lanes_.data();
    of_type.each(layout, [&to](Lanes gains) { *to++ = gains; });
    return {rows, columns, lanes_.data()};
}

template <typename Layout>
double UnitScorer::score_with(const Predictive& unit, const ObservationFeatures& observed,
                              const Layout& layout) {
    double sum = unit.all_absent;
    each_type(unit, observed, layout, [&](std::uint32_t, auto rows, auto columns, const auto& of_type) {
        if (rows == 1 || columns == 1) { // at most one node is placed
            Lanes best = {0, 0};
            of_type.each(layout, [&best](Lanes gains) { best = gains > best ? gains : best; });
            sum += std::max(best[0], best[1]);
        } else {
            sum += best_sum(compute_gains(rows, columns, of_type, layout));
        }
    });
    return sum;
}

template <typename Layout>
double UnitScorer::place_with(const Predictive& unit, const ObservationFeatures& observed,
                              const Layout& layout) {
    placed_.assign(unit.size(), unassigned);
    gains_.assign(unit.size(), 0.0);
    double sum = unit.all_absent;
    each_type(unit, observed, layout, [&](std::uint32_t type, auto rows, auto columns, const auto& of_type) {
        const TypeGains gains = compute_gains(rows, columns, of_type, layout);
        sum += assign_columns(gains);
        for (std::uint32_t r = 0; r < rows; ++r) {
            const std::uint32_t column = choices_[r].column;
            if (column == unassigned) continue;
            placed_[unit.begin[type] + r] = observed.begin(type) + column;
            gains_[unit.begin[type] + r] = gains.at(r, column);
        }
    });
    return sum;
}

double UnitScorer::score(const Predictive& unit, const ObservationFeatures& observed) {
    return with_layout(set_, [&](const auto& layout) { return score_with(unit, observed, layout); });
}

double UnitScorer::place(const Predictive& unit, const ObservationFeatures& observed) {
    return with_layout(set_, [&](const auto& layout) { return place_with(unit, observed, layout); });
}

} // namespace sprig::constellation
