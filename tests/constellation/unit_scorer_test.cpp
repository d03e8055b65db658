// The scores of units, compared with a direct implementation of the formulas with the standard library.

#include "constellation/screening.h"
#include "constellation/unit_scorer.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "support.h"

namespace sprig::constellation {
namespace {

using test::Random;
using test::random_network;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Kind {
    double weight;
    double spread;
    double clutter_mean;
    double clutter_spread; ///< 0: uniform
};

Kind kind_of(Feature feature, const ConstellationParams& p) {
    switch (feature) {
    case Feature::x:
    case Feature::y:
        return {p.position_weight, p.position_spread, 0, 0};
    case Feature::next_x:
    case Feature::next_y:
    case Feature::previous_x:
    case Feature::previous_y:
        return {p.neighbour_weight, p.displacement_spread, 0, 6};
    case Feature::later_x:
    case Feature::later_y:
    case Feature::earlier_x:
    case Feature::earlier_y:
        return {p.survivor_weight, p.displacement_spread, 0, 6};
    case Feature::persistence:
        return {p.persistence_weight, p.persistence_spread, 1.8, 0.8};
    case Feature::sharpness:
        return {p.sharpness_weight, p.sharpness_spread, 0.6, 0.3};
    }
    return {};
}

double log_gaussian(double value, double mean, double spread) {
    const double z = (value - mean) / spread;
    return (-z * z / 2) - std::log(spread * std::sqrt(2 * std::numbers::pi));
}

double log_student(double value, double mean, double scale, double freedom) {
    const double z = (value - mean) / scale;
    return std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) -
           (std::log(freedom * std::numbers::pi) / 2) - std::log(scale) -
           ((freedom + 1) / 2 * std::log(1 + (z * z / freedom)));
}

double expected_presence(const UnitNode& node) {
    return std::min(0.999, (static_cast<double>(node.hits) + 1) / (static_cast<double>(node.watched) + 1.3));
}

/// The gain of placing a node of the unit on an observed node, rather than treating them as absent and as
/// clutter.
double gain_of(const Unit& unit, std::size_t node, const ObservationFeatures& observed, std::size_t seen,
               const ConstellationParams& p) {
    const FeatureSet& set = observed.set();
    const auto hits = static_cast<double>(unit.nodes[node].hits);
    const double freedom = p.prior_weight + hits;
    const double present = expected_presence(unit.nodes[node]);
    double gain = std::log(present) - std::log(1 - present);
    gain -= std::log(p.clutter_rate) - (p.position_weight > 0 ? std::log(p.clutter_area) : 0.0);
    for (std::size_t f = 0; f < set.size(); ++f) {
        const Kind kind = kind_of(set.features[f], p);
        const double value = observed.features(seen)[f];
        const double squares = unit.squares[(node * set.size()) + f];
        const double variance = ((p.prior_weight * kind.spread * kind.spread) + squares) / freedom;
        const double scale = std::sqrt(variance * (1 + (1 / hits)));
        gain += kind.weight * log_student(value, unit.means[(node * set.size()) + f], scale, freedom);
        if (kind.clutter_spread > 0)
            gain -= kind.weight * log_gaussian(value, kind.clutter_mean, kind.clutter_spread);
    }
    return gain;
}

/// The largest sum of gains over all placements of the unit's nodes from `node` on.
double try_all(const Unit& unit, std::size_t node, const ObservationFeatures& observed,
               std::vector<bool>& taken, const ConstellationParams& p) {
    if (node == unit.size()) return 0;
    double best = try_all(unit, node + 1, observed, taken, p);
    const std::uint32_t type = unit.nodes[node].type;
    for (std::uint32_t seen = observed.begin(type); seen < observed.begin(type + 1); ++seen) {
        if (taken[seen]) continue;
        taken[seen] = true;
        best = std::max(best,
                        gain_of(unit, node, observed, seen, p) + try_all(unit, node + 1, observed, taken, p));
        taken[seen] = false;
    }
    return best;
}

double try_all(const Unit& unit, const ObservationFeatures& observed, const ConstellationParams& p) {
    double sum = 0;
    for (const UnitNode& node : unit.nodes) sum += std::log(1 - expected_presence(node));
    std::vector<bool> taken(observed.size(), false);
    return sum + try_all(unit, 0, observed, taken, p);
}

/// Parameters with very different weights.
std::vector<ConstellationParams> many_params() {
    std::vector<ConstellationParams> all(5);
    all[1].survivor_weight = 0.25;
    all[1].persistence_weight = 1;
    all[1].sharpness_weight = 0.75;
    all[1].prior_weight = 4;
    all[2].position_weight = 0;
    all[2].neighbour_weight = 1;
    all[2].clutter_rate = 0.3;
    all[3] = constellation_preset("paper-vocabulary").params;
    all[3].position_weight = 0.5;
    all[3].clutter_area = 100;
    all[4].position_weight = all[4].neighbour_weight = 0.5; // the groups of the default, with other features
    all[4].persistence_weight = all[4].sharpness_weight = 1;
    return all;
}

/// A unit made from a few random samples, and a new observation.
class Case {
  public:
    Case(const ConstellationParams& params, Random& random, std::uint32_t nodes)
        : observed(params, 8), unit_(first_unit(random, nodes)) {
        UnitScorer scorer(params, observed.set());
        for (std::uint32_t updates = random.below(8); updates > 0; --updates) {
            observed.assign(random_network(random, nodes));
            (void)scorer.place(Predictive(unit_, params, observed.set(), 8), observed);
            Unit next = updated_unit(unit_, observed.view(), scorer.placed(), params);
            if (next.size() <= 9) unit_ = std::move(next);
        }
        observed.assign(random_network(random, nodes));
    }
    [[nodiscard]] const Unit& unit() const { return unit_; }

    ObservationFeatures observed;

  private:
    Unit first_unit(Random& random, std::uint32_t nodes) {
        observed.assign(random_network(random, nodes));
        return make_unit(observed.view());
    }
    Unit unit_;
};

template <typename Check>
void for_random_cases(int count, std::uint32_t nodes, Check check) {
    Random random(9);
    for (const ConstellationParams& params : many_params()) {
        for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
            SCOPED_TRACE(i);
            const Case one(params, random, nodes);
            check(params, one.unit(), one.observed);
        }
    }
}

/// A known layout has certain features in a certain order, and not only their weights.
TEST(FeatureSet, KnowsTheLayoutsOfThePresets) {
    const auto layout_of = [](const ConstellationParams& params) { return FeatureSet(params).known_layout; };
    ConstellationParams params;
    EXPECT_EQ(layout_of(params), KnownLayout::standard);
    params.position_weight = params.neighbour_weight = 0.5;
    params.persistence_weight = params.sharpness_weight = 1;
    EXPECT_EQ(layout_of(params), KnownLayout::none);
    params = constellation_preset("paper-vocabulary").params;
    EXPECT_EQ(layout_of(params), KnownLayout::paper);
    std::swap(params.persistence_weight, params.sharpness_weight);
    EXPECT_EQ(layout_of(params), KnownLayout::none);
}

TEST(Predictive, AgreesWithTheUnit) {
    for_random_cases(
        100, 6, [](const ConstellationParams& params, const Unit& unit, const ObservationFeatures& observed) {
            const Predictive predictive(unit, params, observed.set(), 8);
            ASSERT_EQ(predictive.size(), unit.size());
            double all_absent = 0;
            for (std::size_t i = 0; i < unit.size(); ++i) {
                const std::uint32_t type = unit.nodes[i].type;
                EXPECT_LE(predictive.begin[type], i);
                EXPECT_GT(predictive.begin[type + 1], i);
                EXPECT_NEAR(absence_of(unit.nodes[i]), std::log(1 - expected_presence(unit.nodes[i])), 1e-10);
                all_absent += absence_of(unit.nodes[i]);
            }
            EXPECT_EQ(predictive.all_absent, all_absent);
        });
}

TEST(Predictive, GainIsLargestAtTheMean) {
    // By the formula, the gain at the mean is `gain` plus the surprise.
    for_random_cases(
        100, 6, [](const ConstellationParams& params, const Unit& unit, const ObservationFeatures& observed) {
            const Predictive predictive(unit, params, observed.set(), 8);
            UnitScorer scorer(params, observed.set());
            for (std::size_t node = 0; node < unit.size(); ++node) {
                const std::uint32_t type = unit.nodes[node].type;
                for (std::uint32_t seen = observed.begin(type); seen < observed.begin(type + 1); ++seen) {
                    EXPECT_LE(gain_of(unit, node, observed, seen, params),
                              predictive.gain[node] + observed.surprise(seen) + 1e-4);
                }
            }
        });
}

TEST(UnitScorer, GainsAgreeWithTheFormula) {
    std::size_t placements = 0;
    for_random_cases(
        500, 6,
        [&](const ConstellationParams& params, const Unit& unit, const ObservationFeatures& observed) {
            UnitScorer scorer(params, observed.set());
            const Predictive predictive(unit, params, observed.set(), 8);
            const double log_likelihood = scorer.place(predictive, observed);
            EXPECT_EQ(log_likelihood, scorer.score(predictive, observed));
            double sum = predictive.all_absent;
            ASSERT_EQ(scorer.placed().size(), unit.size());
            for (std::size_t node = 0; node < unit.size(); ++node) {
                const std::uint32_t seen = scorer.placed()[node];
                sum += scorer.gains()[node];
                if (seen == unassigned) {
                    EXPECT_EQ(scorer.gains()[node], 0);
                    continue;
                }
                ++placements;
                EXPECT_NEAR(scorer.gains()[node], gain_of(unit, node, observed, seen, params), 2e-5);
            }
            EXPECT_NEAR(log_likelihood, sum, 1e-9);
        });
    EXPECT_GT(placements, 2000U) << "otherwise the test shows nothing";
}

/// The series for the gamma functions is least accurate with the weakest prior.
TEST(UnitScorer, TheWeakestPriorIsCloseToTheFormula) {
    ConstellationParams params;
    params.prior_weight = 1;
    ObservationFeatures observed(params, 8);
    observed.assign(test::network_of({{0, 5, 5}}));
    const Unit unit = make_unit(observed.view());
    UnitScorer scorer(params, observed.set());
    (void)scorer.place(Predictive(unit, params, observed.set(), 8), observed);
    EXPECT_NEAR(scorer.gains()[0], gain_of(unit, 0, observed, 0, params), 5e-3);
}

TEST(UnitScorer, FindsTheBestPlacement) {
    for_random_cases(
        400, 7, [](const ConstellationParams& params, const Unit& unit, const ObservationFeatures& observed) {
            UnitScorer scorer(params, observed.set());
            const double log_likelihood = scorer.place(Predictive(unit, params, observed.set(), 8), observed);
            EXPECT_NEAR(log_likelihood, try_all(unit, observed, params), 2e-4);
            // The placement must be one-to-one and keep the types.
            std::vector<bool> taken(observed.size(), false);
            for (std::size_t node = 0; node < unit.size(); ++node) {
                const std::uint32_t seen = scorer.placed()[node];
                if (seen == unassigned) continue;
                EXPECT_FALSE(taken[seen]);
                taken[seen] = true;
                EXPECT_GE(seen, observed.begin(unit.nodes[node].type));
                EXPECT_LT(seen, observed.begin(unit.nodes[node].type + 1));
            }
        });
}

TEST(UnitScorer, GreedyIsNeverBetter) {
    int worse = 0;
    for_random_cases(
        300, 15,
        [&](const ConstellationParams& params, const Unit& unit, const ObservationFeatures& observed) {
            ConstellationParams greedy_params = params;
            greedy_params.assignment = ConstellationParams::Assignment::greedy;
            UnitScorer greedy(greedy_params, observed.set());
            UnitScorer optimal(params, observed.set());
            const Predictive predictive(unit, params, observed.set(), 8);
            const double best = optimal.score(predictive, observed);
            const double greedy_score = greedy.score(predictive, observed);
            EXPECT_LE(greedy_score, best + 1e-9);
            worse += greedy_score < best - 1e-9 ? 1 : 0;
        });
    EXPECT_GT(worse, 0) << "otherwise the test shows nothing";
}

TEST(UnitScorer, NoScoreExceedsItsBound) {
    for (const auto assignment :
         {ConstellationParams::Assignment::greedy, ConstellationParams::Assignment::optimal}) {
        for_random_cases(
            500, 15, [&](ConstellationParams params, const Unit& unit, const ObservationFeatures& observed) {
                params.assignment = assignment;
                UnitScorer scorer(params, observed.set());
                const Predictive predictive(unit, params, observed.set(), 8);
                EXPECT_LE(scorer.score(predictive, observed),
                          ranked_bound(predictive, predictive.ranked_gains(), observed) + 1e-9);
            });
    }
}

/// The score is found without an assignment where there are one or two columns.
TEST(UnitScorer, ScoresWithoutPlacementsAreThoseWithPlacements) {
    for (const auto assignment :
         {ConstellationParams::Assignment::greedy, ConstellationParams::Assignment::optimal}) {
        for_random_cases(
            500, 15, [&](ConstellationParams params, const Unit& unit, const ObservationFeatures& observed) {
                params.assignment = assignment;
                UnitScorer scorer(params, observed.set());
                const Predictive predictive(unit, params, observed.set(), 8);
                const double placed = scorer.place(predictive, observed);
                EXPECT_NEAR(scorer.score(predictive, observed), placed, 1e-13 * std::abs(placed));
            });
    }
}

TEST(Screening, StopsEarlyOnlyBelowTheFloor) {
    int stopped = 0;
    int completed = 0;
    Random random(11);
    for_random_cases(
        500, 15,
        [&](const ConstellationParams& params, const Unit& unit, const ObservationFeatures& observed) {
            const Predictive predictive(unit, params, observed.set(), 8);
            const std::vector<double> ranked_gains = predictive.ranked_gains();
            const UnitLanes unit_lanes(predictive, ranked_gains, observed.set());
            ObservationLanes lanes;
            lanes.assign(observed);
            const ScreenedPair pair{predictive, ranked_gains, unit_lanes, observed, lanes};
            const double score = UnitScorer(params, observed.set()).score(predictive, observed);
            const double ranked = ranked_bound(pair);
            const double whole = screened_bound(pair, ranked, -infinity);
            EXPECT_LE(score, whole);
            EXPECT_LE(whole, ranked);
            EXPECT_EQ(screened_bound(pair, ranked, whole), whole) << "exactly at the floor";
            for (int i = 0; i < 5; ++i) {
                const double floor = whole + random.between(-20, 20);
                const double result = screened_bound(pair, ranked, floor);
                if (result == -infinity) {
                    EXPECT_LT(whole, floor);
                    ++stopped;
                } else {
                    EXPECT_EQ(result, whole);
                    completed += whole < floor ? 1 : 0;
                }
            }
        });
    EXPECT_GT(stopped, 1000) << "otherwise it never stops early";
    EXPECT_EQ(completed, 0);
}

TEST(UnitScorer, EmptyObservationsAndUnits) {
    const ConstellationParams params;
    ObservationFeatures observed(params, 8);
    UnitScorer scorer(params, observed.set());
    observed.assign(test::network_of({}));
    const Predictive blank(make_unit(observed.view()), params, observed.set(), 8);
    EXPECT_EQ(scorer.score(blank, observed), 0);
    EXPECT_EQ(ranked_bound(blank, blank.ranked_gains(), observed), 0);
    observed.assign(test::row_of({0, 1, 2}));
    EXPECT_EQ(scorer.score(blank, observed), 0) << "all of it is clutter";
    const Predictive row(make_unit(observed.view()), params, observed.set(), 8);
    EXPECT_GT(scorer.score(row, observed), 0);
    observed.assign(test::network_of({}));
    EXPECT_NEAR(scorer.score(row, observed), 3 * std::log(1 - (2 / 2.3)), 1e-9) << "all nodes are absent";
}

} // namespace
} // namespace sprig::constellation
