// How well a unit explains an observation: against the same written down once more, with the library's
// functions and without any shortcut.

#include "constellation/explainer.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "support.h"

namespace sprig::constellation {
namespace {

using test::Chance;
using test::random_network;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Kind {
    double weight;
    double spread;
    double clutter_mean;
    double clutter_spread; ///< 0: anywhere
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

double presence_of(const UnitNode& node) {
    return std::min(0.999, (static_cast<double>(node.hits) + 1) / (static_cast<double>(node.watched) + 1.3));
}

/// What it gains to say that a node of the unit is this one, instead of calling the one missing and the other
/// clutter.
double gain_of(const Unit& unit, std::size_t node, const Sight& sight, std::size_t seen,
               const ConstellationParams& p) {
    const FeatureSet& set = sight.set();
    const auto hits = static_cast<double>(unit.nodes[node].hits);
    const double freedom = p.prior_weight + hits;
    const double present = presence_of(unit.nodes[node]);
    double gain = std::log(present) - std::log(1 - present);
    gain -= std::log(p.clutter_rate) - (p.position_weight > 0 ? std::log(p.clutter_area) : 0.0);
    for (std::size_t f = 0; f < set.size(); ++f) {
        const Kind kind = kind_of(set.features[f], p);
        const double value = sight.features(seen)[f];
        const double squares = unit.squares[(node * set.size()) + f];
        const double variance = ((p.prior_weight * kind.spread * kind.spread) + squares) / freedom;
        const double scale = std::sqrt(variance * (1 + (1 / hits)));
        gain += kind.weight * log_student(value, unit.means[(node * set.size()) + f], scale, freedom);
        if (kind.clutter_spread > 0)
            gain -= kind.weight * log_gaussian(value, kind.clutter_mean, kind.clutter_spread);
    }
    return gain;
}

/// The greatest sum of gains over all ways to place the unit's nodes from `node` on.
double try_all(const Unit& unit, std::size_t node, const Sight& sight, std::vector<bool>& taken,
               const ConstellationParams& p) {
    if (node == unit.size()) return 0;
    double best = try_all(unit, node + 1, sight, taken, p);
    const std::uint32_t type = unit.nodes[node].type;
    for (std::uint32_t seen = sight.begin(type); seen < sight.begin(type + 1); ++seen) {
        if (taken[seen]) continue;
        taken[seen] = true;
        best = std::max(best, gain_of(unit, node, sight, seen, p) + try_all(unit, node + 1, sight, taken, p));
        taken[seen] = false;
    }
    return best;
}

double try_all(const Unit& unit, const Sight& sight, const ConstellationParams& p) {
    double sum = 0;
    for (const UnitNode& node : unit.nodes) sum += std::log(1 - presence_of(node));
    std::vector<bool> taken(sight.size(), false);
    return sum + try_all(unit, 0, sight, taken, p);
}

/// Some ways of weighing nodes that differ in everything.
std::vector<ConstellationParams> many_params() {
    std::vector<ConstellationParams> all(4);
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
    return all;
}

/// A unit that some random samples of few nodes joined, and the observation that comes next.
class Case {
  public:
    Case(const ConstellationParams& params, Chance& chance, std::uint32_t nodes)
        : sight(params, 8), unit_(founded(chance, nodes)) {
        Explainer explainer(params, sight.set());
        for (std::uint32_t joins = chance.below(8); joins > 0; --joins) {
            sight.assign(random_network(chance, nodes));
            (void)explainer.place(Predictive(unit_, params, sight.set(), 8), sight);
            Unit next = joined(unit_, sight.shown(), explainer.placed(), params);
            if (next.size() <= 9) unit_ = std::move(next);
        }
        sight.assign(random_network(chance, nodes));
    }
    [[nodiscard]] const Unit& unit() const { return unit_; }

    Sight sight;

  private:
    Unit founded(Chance& chance, std::uint32_t nodes) {
        sight.assign(random_network(chance, nodes));
        return found(sight.shown());
    }
    Unit unit_;
};

template <typename Check>
void for_random_cases(int count, std::uint32_t nodes, Check check) {
    Chance chance(9);
    for (const ConstellationParams& params : many_params()) {
        for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
            SCOPED_TRACE(i);
            const Case one(params, chance, nodes);
            check(params, one.unit(), one.sight);
        }
    }
}

TEST(Predictive, KeepsWhatTheUnitSays) {
    for_random_cases(100, 6, [](const ConstellationParams& params, const Unit& unit, const Sight& sight) {
        const Predictive predictive(unit, params, sight.set(), 8);
        ASSERT_EQ(predictive.size(), unit.size());
        double nothing = 0;
        for (std::size_t i = 0; i < unit.size(); ++i) {
            const std::uint32_t type = unit.nodes[i].type;
            EXPECT_LE(predictive.begin[type], i);
            EXPECT_GT(predictive.begin[type + 1], i);
            EXPECT_NEAR(predictive.absence[i], std::log(1 - presence_of(unit.nodes[i])), 1e-10);
            nothing += predictive.absence[i];
        }
        EXPECT_NEAR(predictive.nothing_placed, nothing, 1e-10);
    });
}

TEST(Predictive, WhereItIsExpectedANodeGainsMost) {
    // The gain at the mean, from the formula: what `gain` says, and the surprise on top.
    for_random_cases(100, 6, [](const ConstellationParams& params, const Unit& unit, const Sight& sight) {
        const Predictive predictive(unit, params, sight.set(), 8);
        Explainer explainer(params, sight.set());
        for (std::size_t node = 0; node < unit.size(); ++node) {
            const std::uint32_t type = unit.nodes[node].type;
            for (std::uint32_t seen = sight.begin(type); seen < sight.begin(type + 1); ++seen) {
                EXPECT_LE(gain_of(unit, node, sight, seen, params),
                          predictive.gain[node] + sight.surprise(seen) + 1e-4);
            }
        }
    });
}

TEST(Explainer, APlacementGainsWhatTheFormulaSays) {
    std::size_t placements = 0;
    for_random_cases(500, 6, [&](const ConstellationParams& params, const Unit& unit, const Sight& sight) {
        Explainer explainer(params, sight.set());
        const Predictive predictive(unit, params, sight.set(), 8);
        const double explained = explainer.place(predictive, sight);
        EXPECT_EQ(explained, explainer.explain(predictive, sight));
        double sum = predictive.nothing_placed;
        ASSERT_EQ(explainer.placed().size(), unit.size());
        for (std::size_t node = 0; node < unit.size(); ++node) {
            const std::uint32_t seen = explainer.placed()[node];
            sum += explainer.gains()[node];
            if (seen == nowhere) {
                EXPECT_EQ(explainer.gains()[node], 0);
                continue;
            }
            ++placements;
            EXPECT_NEAR(explainer.gains()[node], gain_of(unit, node, sight, seen, params), 2e-5);
        }
        EXPECT_NEAR(explained, sum, 1e-9);
    });
    EXPECT_GT(placements, 2000U) << "otherwise this test shows nothing";
}

/// The series for the gamma functions is worst where next to nothing is known.
TEST(Explainer, EvenTheWeakestPriorIsNearTheFormula) {
    ConstellationParams params;
    params.prior_weight = 1;
    Sight sight(params, 8);
    sight.assign(test::network_of({{0, 5, 5}}));
    const Unit unit = found(sight.shown());
    Explainer explainer(params, sight.set());
    (void)explainer.place(Predictive(unit, params, sight.set(), 8), sight);
    EXPECT_NEAR(explainer.gains()[0], gain_of(unit, 0, sight, 0, params), 5e-3);
}

TEST(Explainer, FindsTheBestOfAllPlacements) {
    for_random_cases(400, 7, [](const ConstellationParams& params, const Unit& unit, const Sight& sight) {
        Explainer explainer(params, sight.set());
        const double explained = explainer.place(Predictive(unit, params, sight.set(), 8), sight);
        EXPECT_NEAR(explained, try_all(unit, sight, params), 2e-4);
        // One to one, and type by type.
        std::vector<bool> taken(sight.size(), false);
        for (std::size_t node = 0; node < unit.size(); ++node) {
            const std::uint32_t seen = explainer.placed()[node];
            if (seen == nowhere) continue;
            EXPECT_FALSE(taken[seen]);
            taken[seen] = true;
            EXPECT_GE(seen, sight.begin(unit.nodes[node].type));
            EXPECT_LT(seen, sight.begin(unit.nodes[node].type + 1));
        }
    });
}

TEST(Explainer, GreedyIsNeverBetter) {
    int worse = 0;
    for_random_cases(300, 15, [&](const ConstellationParams& params, const Unit& unit, const Sight& sight) {
        ConstellationParams hasty = params;
        hasty.assignment = ConstellationParams::Assignment::greedy;
        Explainer greedy(hasty, sight.set());
        Explainer optimal(params, sight.set());
        const Predictive predictive(unit, params, sight.set(), 8);
        const double best = optimal.explain(predictive, sight);
        const double found = greedy.explain(predictive, sight);
        EXPECT_LE(found, best + 1e-9);
        worse += found < best - 1e-9 ? 1 : 0;
    });
    EXPECT_GT(worse, 0) << "otherwise this test shows nothing";
}

TEST(Explainer, NoExplanationExceedsItsBound) {
    for (const auto assignment :
         {ConstellationParams::Assignment::greedy, ConstellationParams::Assignment::optimal}) {
        for_random_cases(500, 15, [&](ConstellationParams params, const Unit& unit, const Sight& sight) {
            params.assignment = assignment;
            Explainer explainer(params, sight.set());
            const Predictive predictive(unit, params, sight.set(), 8);
            EXPECT_LE(explainer.explain(predictive, sight), Explainer::bound(predictive, sight) + 1e-9);
        });
    }
}

TEST(Explainer, GivesUpOnlyWhatStaysBelowTheFloor) {
    int given_up = 0;
    int gone_through = 0;
    Chance chance(11);
    for_random_cases(500, 15, [&](const ConstellationParams& params, const Unit& unit, const Sight& sight) {
        Explainer explainer(params, sight.set());
        const Predictive predictive(unit, params, sight.set(), 8);
        const double bound = Explainer::bound(predictive, sight);
        const double whole = explainer.explain(predictive, sight);
        EXPECT_EQ(explainer.explain(predictive, sight, bound), whole) << "without a floor";
        EXPECT_EQ(explainer.explain(predictive, sight, bound, whole), whole) << "just reached";
        for (int i = 0; i < 5; ++i) {
            const double floor = whole + chance.between(-20, 20);
            const double result = explainer.explain(predictive, sight, bound, floor);
            if (result == -infinity) {
                EXPECT_LT(whole, floor);
                ++given_up;
            } else {
                EXPECT_EQ(result, whole);
                gone_through += whole < floor ? 1 : 0;
            }
        }
    });
    EXPECT_GT(given_up, 1000) << "otherwise nothing is ever saved";
    EXPECT_LT(gone_through, given_up);
}

TEST(Explainer, NothingToSeeOrNothingToAskFor) {
    const ConstellationParams params;
    Sight sight(params, 8);
    Explainer explainer(params, sight.set());
    sight.assign(test::network_of({}));
    const Predictive blank(found(sight.shown()), params, sight.set(), 8);
    EXPECT_EQ(explainer.explain(blank, sight), 0);
    EXPECT_EQ(Explainer::bound(blank, sight), 0);
    sight.assign(test::row_of({0, 1, 2}));
    EXPECT_EQ(explainer.explain(blank, sight), 0) << "all of it is clutter";
    const Predictive row(found(sight.shown()), params, sight.set(), 8);
    EXPECT_GT(explainer.explain(row, sight), 0);
    sight.assign(test::network_of({}));
    EXPECT_NEAR(explainer.explain(row, sight), 3 * std::log(1 - (2 / 2.3)), 1e-9) << "all of it is missing";
}

} // namespace
} // namespace sprig::constellation
