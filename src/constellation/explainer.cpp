#include "constellation/explainer.h"

#include <algorithm>

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
        double product = 1;
        for (std::size_t f = group.first; f < group.end; ++f) {
            const double off = seen[f] - row[f];
            product *= 1 + (off * off * factors[f]);
        }
        all *= to_quarters(product, group.quarters);
        const double at_most = most - (slope * logarithm_at_least(all));
        if (at_most <= 0) return at_most;
    }
    return most - (slope * logarithm(all));
}

} // namespace

double Explainer::bound(const Predictive& unit, const Sight& sight) {
    double sum = unit.nothing_placed;
    for (std::size_t type = 0; type < sight.types(); ++type) sum += bound_of_type(unit, sight, type);
    return sum;
}

void Explainer::tabulate(const Predictive& unit, const Sight& sight, std::size_t type) {
    const std::uint32_t first_node = unit.begin[type];
    const std::uint32_t first_seen = sight.begin(type);
    table_.resize(unit.begin[type + 1] - first_node, sight.begin(type + 1) - first_seen);
    for (std::uint32_t r = 0; r < table_.rows; ++r) {
        const std::size_t node = first_node + r;
        const double* row = unit.rows.data() + (node * set_.size() * 2);
        for (std::uint32_t c = 0; c < table_.columns; ++c) {
            const double most = unit.gain[node] + sight.surprise(first_seen + c);
            table_.at(r, c) = gain_of(row, sight.features(first_seen + c), set_, most, unit.slope[node]);
        }
    }
}

double Explainer::explain(const Predictive& unit, const Sight& sight, double bound, double floor) {
    placed_.assign(unit.size(), nowhere);
    gains_.assign(unit.size(), 0.0);
    double sum = unit.nothing_placed;
    for (std::size_t type = 0; type < sight.types(); ++type) {
        tabulate(unit, sight, type);
        if (table_.rows == 0 || table_.columns == 0) continue;
        const double gained = params_.assignment == ConstellationParams::Assignment::optimal
                                  ? assigner_.optimal(table_)
                                  : assigner_.greedy(table_);
        sum += gained;
        for (std::uint32_t r = 0; r < table_.rows; ++r) {
            const std::uint32_t column = assigner_.columns()[r];
            if (column == nowhere) continue;
            placed_[unit.begin[type] + r] = sight.begin(type) + column;
            gains_[unit.begin[type] + r] = table_.at(r, column);
        }
        bound -= bound_of_type(unit, sight, type) - gained;
        if (bound < floor - rounding) return -std::numeric_limits<double>::infinity();
    }
    return sum;
}

} // namespace sprig::constellation
