#include "constellation/unit_scorer.h"

#include <algorithm>
#include <bit>

#include "constellation/layout.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

/// The gains of two nodes, or of one node on two observed nodes: the maximum of each minus the logarithm of
/// the product of its deviations. Not inlined: the compiler would load all constants ahead of a caller's
/// loop, which mostly runs once or twice.
template <typename Layout>
[[gnu::noinline]] Lanes gains_of(const Lanes* pair, const Lanes* seen, const LogarithmTerms<Lanes>& terms,
                                 Layout layout) {
    const Lanes all =
        weighted_product(Deviations<Lanes>{pair + 2, pair + 2 + layout.width, seen + 1, terms.one}, layout);
    return pair[0] + seen[0] - (pair[1] * logarithm(all, terms));
}

/// The nodes of one type, in pairs, and the observed nodes of the type.
struct TypePairs {
    std::uint32_t rows;
    std::uint32_t columns;
    const Lanes* begin;
    const Lanes* end;
    const Lanes* doubled; ///< the first observed node: see ObservationFeatures
    const Lanes* paired;  ///< the same in pairs
    const LogarithmTerms<Lanes>& terms;

    /// If there is only one row, and more than one column: calls `use` with the gains of all columns, two at
    /// a time.
    template <typename Layout, typename Use>
    [[gnu::always_inline]] inline void each_of_row(const Layout& layout, Use use) const {
        const std::size_t step = 2 * (1 + layout.width);
        const Lanes* at = paired;
        for (std::uint32_t c = 0; c < columns; c += 2, at += step) use(gains_of(begin, at, terms, layout));
    }
    /// Calls `use` with the gains of all rows in a column, two at a time.
    template <typename Layout, typename Use>
    [[gnu::always_inline]] inline void each_of_column(const Lanes* seen, const Layout& layout,
                                                      Use use) const {
        for (const Lanes* pair = begin; pair != end; pair += Predictive::pair_size(layout.width))
            use(gains_of(pair, seen, terms, layout));
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

/// The largest sum of gains in two columns, of two different rows or of one.
class TwoColumns {
  public:
    /// Adds two rows.
    void add_pair(Lanes a, Lanes b) {
        a = larger(a, Lanes{});
        b = larger(b, Lanes{});
        const Lanes swapped_b = swapped(b);
        sums_ = larger(a + swapped_b, sums_);
        sums_ = larger(a + most_b_, sums_);
        sums_ = larger(b + most_a_, sums_);
        most_a_ = larger(larger(a, swapped(a)), most_a_);
        most_b_ = larger(larger(b, swapped_b), most_b_);
    }
    /// Adds one row, with its columns as lanes.
    void add_row(Lanes gains) {
        const Lanes of_others = {most_b_[0], most_a_[0]};
        sums_ = larger(larger(gains, Lanes{}) + of_others, sums_);
    }
    [[nodiscard]] double sum() const { return max_of(sums_); }

  private:
    Lanes most_a_{}; ///< the largest gain in the first column so far, in both lanes
    Lanes most_b_{}; ///< the same of the second
    Lanes sums_{};   ///< the largest sums so far
};

/// The largest sum of gains in two rows. As in `assign_choices`, the row with the larger regret keeps a
/// disputed column.
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
void UnitScorer::choose_columns(const TypeGains& gains) {
    const std::size_t stride = gains.stride();
    for (std::uint32_t r = 0; r < gains.rows; ++r) {
        const Lanes* column = gains.lanes + (r / 2);
        Choice choice;
        for (std::uint32_t c = 0; c < gains.columns; ++c, column += stride) {
            const double gain = (*column)[r % 2];
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
bool UnitScorer::assign_choices(std::uint32_t rows, double& sum) {
    std::uint64_t taken = 0;
    std::uint64_t disputed = 0;
    const std::span choices(choices_.data(), rows);
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
    double sum = 0;
    if (optimal_ && columns <= 64) {
        choose_columns(gains);
        if (assign_choices(rows, sum)) return sum;
    }
    table_.resize(rows, columns);
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) table_.at(r, c) = gains.at(r, c);
    sum = optimal_ ? assigner_.optimal(table_) : assigner_.greedy(table_);
    for (std::uint32_t r = 0; r < rows; ++r) choices_[r].column = assigner_.columns()[r];
    return sum;
}

/// Calls `use` with each type that both the unit and the observation have nodes of.
template <typename Layout, typename Use>
[[gnu::always_inline]] inline void UnitScorer::each_type(const Predictive& unit,
                                                         const ObservationFeatures& observed,
                                                         const Layout& layout, Use use) const {
    const std::uint32_t* const begin = unit.begin.data();
    const std::uint32_t* const begin_seen = observed.begins().data();
    const auto types = static_cast<std::uint32_t>(observed.types());
    const Lanes* pairs = unit.pairs.get();
    for (std::uint32_t type = 0; type < types; ++type) {
        const std::uint32_t rows = begin[type + 1] - begin[type];
        const std::uint32_t columns = begin_seen[type + 1] - begin_seen[type];
        const Lanes* const end = pairs + ((rows + std::size_t{1}) / 2 * Predictive::pair_size(layout.width));
        const std::size_t seen = begin_seen[type] * (1 + layout.width);
        if (rows != 0 && columns != 0)
            use(type, TypePairs{rows, columns, pairs, end, observed.doubled() + seen, observed.pairs() + seen,
                                terms_});
        pairs = end;
    }
}

template <typename Layout>
[[gnu::always_inline]] inline TypeGains UnitScorer::compute_gains(const TypePairs& pairs,
                                                                  const Layout& layout) {
    const std::size_t most = (pairs.rows + std::size_t{1}) / 2 * pairs.columns;
    if (lanes_.size() < most) lanes_.resize(most);
    Lanes* to = lanes_.data();
    const auto store = [&to](Lanes gains) { *to++ = gains; };
    if (pairs.rows == 1 && pairs.columns > 1) {
        pairs.each_of_row(layout, store);
    } else {
        const Lanes* seen = pairs.doubled;
        for (std::uint32_t c = 0; c < pairs.columns; ++c, seen += 1 + layout.width)
            pairs.each_of_column(seen, layout, store);
    }
    return {pairs.rows, pairs.columns, lanes_.data()};
}

/// The sum of the gains placed. In most cases it is found without an assignment.
template <typename Layout>
[[gnu::always_inline]] inline double UnitScorer::best_sum(const TypePairs& pairs, const Layout& layout) {
    if (pairs.columns == 1 || pairs.rows == 1) {
        Lanes best{};
        const auto keep = [&best](Lanes gains) { best = larger(gains, best); };
        if (pairs.columns == 1)
            pairs.each_of_column(pairs.doubled, layout, keep);
        else
            pairs.each_of_row(layout, keep);
        return max_of(best);
    }
    if (optimal_ && pairs.columns == 2) {
        const Lanes* const second = pairs.doubled + 1 + layout.width;
        const std::size_t size = Predictive::pair_size(layout.width);
        TwoColumns best;
        const Lanes* pair = pairs.begin;
        for (std::uint32_t r = 1; r < pairs.rows; r += 2, pair += size)
            best.add_pair(gains_of(pair, pairs.doubled, terms_, layout),
                          gains_of(pair, second, terms_, layout));
        if (pair != pairs.end) best.add_row(gains_of(pair, pairs.paired, terms_, layout));
        return best.sum();
    }
    const TypeGains gains = compute_gains(pairs, layout);
    return optimal_ && pairs.rows == 2 ? best_of_two_rows(gains) : assign_columns(gains);
}

template <typename Layout>
double UnitScorer::score_with(const Predictive& unit, const ObservationFeatures& observed,
                              const Layout& layout) {
    double sum = unit.all_absent;
    each_type(unit, observed, layout,
              [&](std::uint32_t, const TypePairs& pairs) { sum += best_sum(pairs, layout); });
    return sum;
}

template <typename Layout>
double UnitScorer::place_with(const Predictive& unit, const ObservationFeatures& observed,
                              const Layout& layout) {
    placed_.assign(unit.size(), unassigned);
    gains_.assign(unit.size(), 0.0);
    double sum = unit.all_absent;
    each_type(unit, observed, layout, [&](std::uint32_t type, const TypePairs& pairs) {
        const TypeGains gains = compute_gains(pairs, layout);
        sum += assign_columns(gains);
        for (std::uint32_t r = 0; r < gains.rows; ++r) {
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
