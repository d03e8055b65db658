#include "constellation/predictive.h"

#include <algorithm>
#include <functional>
#include <numbers>

#include "constellation/lanes.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

namespace {

/// log gamma((v + 1) / 2) - log gamma(v / 2), by its series in 1 / v. The error is at most 1e-5 for v >= 4,
/// 5e-5 for 3 and 6e-4 for 2.
double log_gamma_ratio(double v) {
    const double i = 1 / v;
    const double i2 = i * i;
    return (logarithm(v / 2) / 2) - (i * ((1.0 / 4) - (i2 * ((1.0 / 24) - (i2 / 20)))));
}

/// The log-density of a Student-t distribution of scale 1 at its centre.
double log_peak(double freedom) {
    return log_gamma_ratio(freedom) - (logarithm(freedom * std::numbers::pi) / 2);
}

/// Fills in the row of a node. Returns the logarithm of the product of all squared scales (see
/// Unit::square_scale), each raised to its weight in quarters.
double fill_row(double* row, const Unit& unit, std::size_t node, double freedom, const FeatureSet& set) {
    const double* means = unit.means.data() + (node * set.size());
    const double* squares = unit.squares.data() + (node * set.size());
    double* factors = row + set.size();
    const double widened =
        1 + (1 / static_cast<double>(unit.nodes[node].hits)); // by the uncertainty of the mean
    double all = 1;
    for (const FeatureGroup& group : set.groups) {
        double product = 1;
        std::size_t f = group.first;
        for (; f + 1 < group.end; f += 2) {
            const Lanes scale =
                (load_lanes(set.prior_sums.data() + f) + load_lanes(squares + f)) / freedom * widened;
            store_lanes(factors + f, 1 / (scale * freedom));
            product *= scale[0];
            product *= scale[1];
        }
        if (f < group.end) {
            const double scale = (set.prior_sums[f] + squares[f]) / freedom * widened;
            factors[f] = 1 / (scale * freedom);
            product *= scale;
        }
        all *= int_power(product, group.quarters);
    }
    std::copy_n(means, set.size(), row);
    return logarithm(all);
}

} // namespace

Predictive::Predictive(const Unit& unit, const ConstellationParams& params, const FeatureSet& set,
                       std::size_t types)
    // The rows are not cleared: all of them are filled in.
    : begin(types + 1, 0), rows(new double[unit.size() * set.size() * 2]), gain(unit.size()),
      slope(unit.size()), absence(unit.size()) {
    for (const UnitNode& node : unit.nodes) ++begin[node.type + 1];
    for (std::size_t t = 0; t < types; ++t) begin[t + 1] += begin[t];
    // Many nodes of a unit have equal counts, and with them equal logarithms.
    UnitNode counted;
    double peak = 0;
    double log_present = 0;
    for (std::size_t i = 0; i < unit.size(); ++i) {
        const UnitNode& node = unit.nodes[i];
        const double freedom = params.prior_weight + static_cast<double>(node.hits);
        if (node.hits != counted.hits) peak = log_peak(freedom);
        if (node.hits != counted.hits || node.watched != counted.watched) {
            const double present = unit.presence(i);
            log_present = logarithm(present);
            absence[i] = logarithm(1 - present);
        } else {
            absence[i] = absence[i - 1];
        }
        counted = node;
        const double scales = fill_row(rows.get() + (i * set.size() * 2), unit, i, freedom, set);
        // Scales are squared and weights are in quarters: hence the factor of 8.
        gain[i] = (set.total_weight * peak) - (scales / 8) + log_present - absence[i];
        slope[i] = (freedom + 1) / 8;
        all_absent += absence[i];
    }
}

std::vector<double> Predictive::ranked_gains() const {
    std::vector<double> ranked = gain;
    for (std::size_t t = 0; t + 1 < begin.size(); ++t) {
        if (begin[t + 1] - begin[t] < 2) continue;
        std::sort(ranked.begin() + begin[t], ranked.begin() + begin[t + 1], std::greater<>());
    }
    return ranked;
}

} // namespace sprig::constellation
