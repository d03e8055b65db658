#include "constellation/predictive.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numbers>
#include <optional>

#include "constellation/layout.h"
#include "constellation/logarithm.h"

namespace sprig::constellation {

namespace {

// Two nodes are computed at a time, a lane each. Each lane has the bits of scalar code.

/// log gamma((v + 1) / 2) - log gamma(v / 2), by its series in 1 / v. The error is at most 1e-5 for v >= 4,
/// 5e-5 for 3 and 6e-4 for 2.
Lanes log_gamma_ratio(Lanes v) {
    const Lanes i = 1 / v;
    const Lanes i2 = i * i;
    return (logarithm(v / 2) / 2) - (i * ((1.0 / 4) - (i2 * ((1.0 / 24) - (i2 / 20)))));
}

/// The log-density of a Student-t distribution of scale 1 at its centre.
Lanes log_peak(Lanes freedom) {
    return log_gamma_ratio(freedom) - (logarithm(freedom * std::numbers::pi) / 2);
}

/// What follows from the counts of two nodes.
struct PairCounts {
    std::array<UnitNode, 2> nodes;
    Lanes hits = {};
    Lanes freedom = {};
    Lanes peak = {};
    Lanes log_present = {};
    Lanes absence = {}; ///< the logarithm of the probability that a node is absent

    PairCounts(const UnitNode& a, const UnitNode& b, double prior_weight)
        : nodes{a, b}, hits{static_cast<double>(a.hits), static_cast<double>(b.hits)},
          freedom(prior_weight + hits), peak(log_peak(freedom)) {
        const Lanes present = {presence_of(a), presence_of(b)};
        log_present = logarithm(present);
        absence = logarithm(1 - present);
    }

    [[nodiscard]] bool are_those_of(const UnitNode& a, const UnitNode& b) const {
        const auto equal = [](const UnitNode& x, const UnitNode& y) {
            return x.hits == y.hits && x.watched == y.watched;
        };
        return equal(nodes[0], a) && equal(nodes[1], b);
    }
};

/// The features of two nodes. The product over them is of the squared scales (see Unit::square_scale).
struct PairFeatures {
    std::array<const double*, 2> unit_means;
    std::array<const double*, 2> squares;
    const double* prior_sums;
    Lanes freedom;
    Lanes widened; ///< by the uncertainty of the mean
    Lanes* means;
    Lanes* factors;

    /// Also fills in the means and factors.
    [[nodiscard, gnu::always_inline]] inline Lanes product_of(const FeatureGroup& group) const {
        Lanes product = {1, 1};
        for (std::size_t f = group.first; f < group.end; ++f) {
            const Lanes scale = (prior_sums[f] + Lanes{squares[0][f], squares[1][f]}) / freedom * widened;
            means[f] = Lanes{unit_means[0][f], unit_means[1][f]};
            factors[f] = 1 / (scale * freedom);
            product *= scale;
        }
        return product;
    }
};

/// Fills in the means and factors of the nodes a and b. Returns the logarithm of the product of all squared
/// scales, each raised to its weight in quarters.
Lanes fill_pair(Lanes* pair, const Unit& unit, std::size_t a, std::size_t b, const PairCounts& counts,
                const FeatureSet& set) {
    const std::size_t width = set.size();
    const auto both = [&](const std::vector<double>& values) {
        return std::array{values.data() + (a * width), values.data() + (b * width)};
    };
    const PairFeatures features{both(unit.means), both(unit.squares),    set.prior_sums.data(),
                                counts.freedom,   1 + (1 / counts.hits), pair + 2,
                                pair + 2 + width};
    return logarithm(
        with_layout(set, [&features](const auto& layout) { return weighted_product(features, layout); }));
}

} // namespace

double absence_of(const UnitNode& node) {
    return logarithm(1 - presence_of(node)); // as in PairCounts
}

Predictive::Predictive(const Unit& unit, const ConstellationParams& params, const FeatureSet& set,
                       std::size_t types)
    : begin(types + 1, 0), gain(unit.size()) {
    for (const UnitNode& node : unit.nodes) ++begin[node.type + 1];
    std::size_t pair_count = 0;
    for (std::size_t t = 0; t < types; ++t) {
        pair_count += (begin[t + 1] + 1) / 2;
        begin[t + 1] += begin[t];
    }
    const std::size_t stride = pair_size(set.size());
    pairs = std::make_unique_for_overwrite<Lanes[]>(pair_count * stride); // all of them are filled in
    Lanes* pair = pairs.get();
    std::optional<PairCounts> counts; // many pairs of nodes have equal counts, and with them equal logarithms
    for (std::size_t a = 0; a < unit.size(); pair += stride) {
        const bool is_lone = a + 1 == begin[unit.nodes[a].type + 1];
        const std::size_t b = is_lone ? a : a + 1;
        if (!counts || !counts->are_those_of(unit.nodes[a], unit.nodes[b]))
            counts.emplace(unit.nodes[a], unit.nodes[b], params.prior_weight);
        const Lanes scales = fill_pair(pair, unit, a, b, *counts, set);
        // Scales are squared and weights are in quarters: hence the factor of 8.
        pair[0] = (set.total_weight * counts->peak) - (scales / 8) + counts->log_present - counts->absence;
        pair[1] = (counts->freedom + 1) / 8;
        for (std::size_t lane = 0; a <= b; ++a, ++lane) {
            gain[a] = pair[0][lane];
            all_absent += counts->absence[lane];
        }
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
