#include "constellation/known.h"

#include <algorithm>
#include <cmath>

#include "constellation/logarithm.h"
#include "core/elementary.h"

namespace sprig::constellation {

namespace {

/// The mean of (v + 1) / 2 * log(1 + t^2 / v) if t has Student's distribution with v degrees of freedom: what
/// a feature of weight 1 loses on average compared with its mode. By its series in 1 / v, as the density.
double mean_loss(double v) {
    const double i = 1 / v;
    return (v + 1) / 2 * i * (1 + (i / 2) - (i * i * i / 4));
}

/// What a node is expected to gain by its placement.
double mean_gain(const Unit& unit, std::size_t node, const Predictive& predictive,
                 const ConstellationParams& params, const FeatureSet& set, const ClutterDensities& clutter) {
    constexpr double log_root_two_pi = 0.918938533204672742;
    const double freedom = params.prior_weight + static_cast<double>(unit.nodes[node].hits);
    double surprise = clutter.position_surprise;
    for (std::size_t f = 0; f < set.size(); ++f) {
        const ClutterDensities::Pair& pair = clutter.pairs[f / 2];
        const std::size_t lane = f % 2;
        const double off = unit.means[(node * set.size()) + f] - pair.mean[lane];
        const double variance =
            unit.square_scale(node, f, params, set) * freedom / std::max(1.0, freedom - 2);
        const double square = ((off * off) + variance) / (pair.spread[lane] * pair.spread[lane]);
        surprise += pair.weight[lane] * ((square / 2) + log_root_two_pi + pair.log_spread[lane]);
    }
    return std::max(0.0, predictive.gain[node] + surprise - (set.total_weight * mean_loss(freedom)));
}

} // namespace

double expected_fit(const Unit& unit, const Predictive& predictive, const ConstellationParams& params,
                    const FeatureSet& set) {
    const ClutterDensities clutter(params, set);
    double log_likelihood = predictive.all_absent;
    double nodes = 0;
    for (std::size_t node = 0; node < unit.size(); ++node) {
        const double presence = presence_of(unit.nodes[node]);
        log_likelihood += presence * mean_gain(unit, node, predictive, params, set, clutter);
        nodes += presence;
    }
    return nodes == 0 ? 0 : log_likelihood / nodes;
}

/// Logistic in the fit as a share of the expected one. The constants were chosen on development data and hold
/// for all presets: see docs/method.md.
double known_probability(double fit, double expected_fit, std::uint64_t samples) {
    constexpr double even_share = 0.82; // where known and unknown are equally likely
    constexpr double steepness = 10.25;
    constexpr double of_one_sample = 4.25; // less steep: a single sample says little of what varies
    if (!(expected_fit > 0)) return fit == expected_fit ? 1 : 0; // a blank unit: only its like is known
    const double steep = steepness - (of_one_sample / std::sqrt(static_cast<double>(samples)));
    return 1 / (1 + elementary::exp(-steep * ((fit / expected_fit) - even_share)));
}

} // namespace sprig::constellation
