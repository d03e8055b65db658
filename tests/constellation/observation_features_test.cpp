// The features of an observation.

#include "constellation/layout.h"
#include "constellation/observation_features.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "support.h"
#include "support/shapes.h"

namespace sprig::constellation {
namespace {

using test::feature_of;
using test::network_of;
using test::Random;
using testing::ElementsAre;

/// All features, with different weights.
ConstellationParams all_features() {
    ConstellationParams params;
    params.survivor_weight = 0.25;
    params.sharpness_weight = 0.75;
    return params;
}

TEST(ObservationFeatures, SortsNodesByTypeAndPosition) {
    ObservationFeatures observed({}, 8);
    observed.assign(network_of({{5, 9, 9}, {2, 3, 3}, {5, 1, 9}, {0, 7, 7}, {2, 3, 2}, {5, 1, 8}}));
    ASSERT_EQ(observed.size(), 6U);
    ASSERT_EQ(observed.types(), 8U);
    std::vector<std::uint32_t> begins;
    for (std::size_t type = 0; type <= 8; ++type) begins.push_back(observed.begin(type));
    EXPECT_THAT(begins, ElementsAre(0, 1, 1, 3, 3, 3, 6, 6, 6));
    std::vector<NodeId> ids;
    for (std::size_t i = 0; i < observed.size(); ++i) ids.push_back(observed.id(i));
    EXPECT_THAT(ids, ElementsAre(3, 4, 1, 5, 2, 0));
    observed.assign(network_of({}));
    EXPECT_EQ(observed.size(), 0U);
    EXPECT_EQ(observed.begin(8), 0U);
}

TEST(ObservationFeatures, FeaturesOfAHandMadeNetwork) {
    // One contour 0 > 1 > 2 > 3 > 0 and an isolated node. All types differ, so that indices and node numbers
    // agree.
    const Network network =
        network_of({{0, 1, 2, 1, 0.5}, {1, 4, 3, 5, 0.25}, {2, 8, 8, 2, 1}, {3, 2, 9, 9, 0}, {4, 6, 6, 7, 1}},
                   {{0, 1, 2, 3}});
    ObservationFeatures observed(all_features(), 8);
    observed.assign(network);
    const auto pair_of = [&](std::size_t node, Feature x, Feature y) {
        return std::pair(feature_of(observed, node, x), feature_of(observed, node, y));
    };
    using Pair = std::pair<double, double>;
    EXPECT_EQ(pair_of(2, Feature::x, Feature::y), Pair(8, 8));
    EXPECT_EQ(pair_of(0, Feature::next_x, Feature::next_y), Pair(3, 1));
    EXPECT_EQ(pair_of(0, Feature::previous_x, Feature::previous_y), Pair(1, 7));
    EXPECT_EQ(pair_of(3, Feature::next_x, Feature::next_y), Pair(-1, -7));
    EXPECT_EQ(pair_of(3, Feature::previous_x, Feature::previous_y), Pair(6, -1));
    // By persistence: 3 survives all, 1 all but 3, 2 only 0.
    EXPECT_EQ(pair_of(0, Feature::later_x, Feature::later_y), Pair(3, 1)) << "1, the next";
    EXPECT_EQ(pair_of(1, Feature::later_x, Feature::later_y), Pair(-2, 6)) << "past 2, to 3";
    EXPECT_EQ(pair_of(1, Feature::earlier_x, Feature::earlier_y), Pair(-2, 6)) << "past 0, to 3 as well";
    EXPECT_EQ(pair_of(2, Feature::earlier_x, Feature::earlier_y), Pair(-4, -5)) << "1";
    EXPECT_EQ(pair_of(3, Feature::later_x, Feature::later_y), Pair(0, 0)) << "none survives it";
    EXPECT_EQ(pair_of(3, Feature::earlier_x, Feature::earlier_y), Pair(0, 0));
    // A node without a contour has no neighbours.
    EXPECT_EQ(pair_of(4, Feature::next_x, Feature::previous_y), Pair(0, 0));
    EXPECT_EQ(pair_of(4, Feature::later_x, Feature::earlier_y), Pair(0, 0));
    EXPECT_NEAR(feature_of(observed, 0, Feature::persistence), std::log(2), 1e-12);
    EXPECT_NEAR(feature_of(observed, 3, Feature::persistence), std::log(10), 1e-12);
    EXPECT_EQ(feature_of(observed, 1, Feature::sharpness), 0.25);
}

/// The last have the groups of the default, but with other features.
TEST(ObservationFeatures, RowsHaveTheOrderOfTheSet) {
    ConstellationParams other;
    other.position_weight = other.neighbour_weight = 0.5;
    other.persistence_weight = other.sharpness_weight = 1;
    const Network network = network_of({{0, 1, 2, 3, 0.5}, {1, 5, 7, 0, 0.25}}, {{0, 1}});
    for (const ConstellationParams& params :
         {ConstellationParams(), constellation_preset("paper-vocabulary").params, other}) {
        ObservationFeatures observed(params, 8);
        observed.assign(network);
        EXPECT_EQ(feature_of(observed, 0, Feature::x), 1);
        EXPECT_EQ(feature_of(observed, 0, Feature::y), 2);
        EXPECT_EQ(feature_of(observed, 0, Feature::next_x), 4);
        EXPECT_EQ(feature_of(observed, 0, Feature::previous_y), 5);
        EXPECT_NEAR(feature_of(observed, 0, Feature::persistence), std::log(4), 1e-12);
        if (params.sharpness_weight > 0) {
            EXPECT_EQ(feature_of(observed, 0, Feature::sharpness), 0.5);
        }
    }
}

TEST(ObservationFeatures, NodesOfEqualPersistenceDoNotSurviveEachOther) {
    ObservationFeatures observed(all_features(), 8);
    observed.assign(network_of({{0, 0, 0, 3}, {1, 1, 0, 3}, {2, 5, 5, 4}}, {{0, 1, 2}}));
    EXPECT_EQ(feature_of(observed, 0, Feature::later_x), 5);
    EXPECT_EQ(feature_of(observed, 1, Feature::earlier_x), 4);
}

TEST(ObservationFeatures, FeaturesWithoutWeightAreLeftOut) {
    ConstellationParams params;
    params.position_weight = 0;
    params.neighbour_weight = 0.25;
    params.persistence_weight = 1;
    params.sharpness_weight = 0;
    const FeatureSet set(params);
    using enum Feature;
    EXPECT_THAT(set.features, ElementsAre(persistence, next_x, next_y, previous_x, previous_y));
    EXPECT_THAT(set.weights, ElementsAre(1, 0.25, 0.25, 0.25, 0.25));
    EXPECT_EQ(set.total_weight, 2);
    EXPECT_NEAR(set.prior_sums[0], params.prior_weight * 0.16, 1e-14);
    ASSERT_EQ(set.groups.size(), 2U);
    EXPECT_EQ(set.groups[0].quarters, 4);
    EXPECT_EQ(set.groups[1].first, 1U);
    EXPECT_EQ(set.groups[1].end, 5U);
    EXPECT_EQ(set.groups[1].quarters, 1);
    EXPECT_EQ(FeatureSet(all_features()).size(), 12U);
}

TEST(ObservationFeatures, Power) {
    for (int quarters = 1; quarters <= 4; ++quarters)
        EXPECT_NEAR(power(1.7, quarters), std::pow(1.7, quarters), 1e-12);
}

double gaussian(double value, double mean, double spread) {
    const double z = (value - mean) / spread;
    return std::exp(-z * z / 2) / (spread * std::sqrt(2 * std::numbers::pi));
}

TEST(ObservationFeatures, SurpriseIsTheNegativeLogDensityOfClutter) {
    ConstellationParams params; // without survivors
    params.clutter_rate = 0.1;
    params.clutter_area = 250;
    params.sharpness_weight = 0.25;
    ObservationFeatures observed(params, 8);
    observed.assign(network_of({{0, 1, 2, 1, 0.5}, {1, 4, 3, 5, 0.25}, {2, 8, 8, 2, 1}}, {{0, 1, 2}}));
    // Of node 0: next (3, 1), previous (7, 6).
    double expected = -std::log(0.1 / 250);
    for (const double offset : {3, 1, 7, 6}) expected -= 0.5 * std::log(gaussian(offset, 0, 6));
    expected -= 0.5 * std::log(gaussian(std::log(2), 1.8, 0.8));
    expected -= 0.25 * std::log(gaussian(0.5, 0.6, 0.3));
    EXPECT_NEAR(observed.surprise(0), expected, 1e-10);
    // Without positions the area of clutter has no effect.
    params = {};
    params.position_weight = 0;
    params.neighbour_weight = 0;
    params.persistence_weight = 0;
    params.sharpness_weight = 1;
    ObservationFeatures relations_only(params, 8);
    relations_only.assign(network_of({{0, 1, 2, 1, 0.9}}));
    EXPECT_NEAR(relations_only.surprise(0), -std::log(0.05) - std::log(gaussian(0.9, 0.6, 0.3)), 1e-10);
}

TEST(ObservationFeatures, RanksSurpriseWithinEachType) {
    ObservationFeatures observed({}, 8);
    Random random(5);
    for (int i = 0; i < 50; ++i) {
        observed.assign(random_network(random, 20));
        for (std::size_t type = 0; type < 8; ++type) {
            std::vector<double> plain;
            std::vector<double> ranked;
            for (std::uint32_t n = observed.begin(type); n < observed.begin(type + 1); ++n) {
                plain.push_back(observed.surprise(n));
                ranked.push_back(observed.ranked_surprise(n));
            }
            std::sort(plain.rbegin(), plain.rend());
            EXPECT_EQ(ranked, plain);
        }
    }
}

/// Compares the features of a network with those of the same network under other node numbers.
void expect_independent_of_numbers(const Network& network, ObservationFeatures& plain,
                                   ObservationFeatures& other, Random& random) {
    plain.assign(network);
    other.assign(test::renumbered(network, random.engine()));
    ASSERT_EQ(other.size(), plain.size());
    for (std::size_t type = 0; type <= plain.types(); ++type) ASSERT_EQ(other.begin(type), plain.begin(type));
    const std::size_t width = plain.set().size();
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(other.surprise(i), plain.surprise(i));
        EXPECT_EQ(other.ranked_surprise(i), plain.ranked_surprise(i));
        for (std::size_t f = 0; f < width; ++f) EXPECT_EQ(other.features(i)[f], plain.features(i)[f]);
    }
}

TEST(ObservationFeatures, DoesNotDependOnNodeNumbers) {
    Random random(6);
    ObservationFeatures plain(all_features(), 8);
    ObservationFeatures other(all_features(), 8);
    for (int i = 0; i < 300; ++i)
        expect_independent_of_numbers(random_network(random, 25), plain, other, random);
}

TEST(ObservationFeatures, DoesNotDependOnNumbersOfNodesThatDifferOnlyInNeighbours) {
    Random random(13);
    ObservationFeatures plain(all_features(), 8);
    ObservationFeatures other(all_features(), 8);
    // Four nodes at the same position with different neighbours; one has none.
    const Network network = network_of(
        {{0, 5, 5}, {0, 5, 5}, {0, 5, 5}, {0, 5, 5}, {1, 0, 0}, {1, 9, 9}, {1, 3, 4}, {2, 9, 9, 9}},
        {{0, 4}, {1, 5}, {2, 6, 7}});
    for (int i = 0; i < 50; ++i) expect_independent_of_numbers(network, plain, other, random);
}

/// A contour passes each pixel of a thin line twice, so that nodes coincide.
TEST(ObservationFeatures, DoesNotDependOnNumbersOfCoincidentNodes) {
    Random random(7);
    for (const int directions : {2, 4}) {
        const FrontEndParams params{.directions = directions, .min_contour = 0, .relations = false};
        FrontEnd front_end(params);
        ObservationFeatures plain(all_features(), 4U * static_cast<std::size_t>(directions));
        ObservationFeatures other(all_features(), 4U * static_cast<std::size_t>(directions));
        for (std::uint32_t seed = 0; seed < 400 && !testing::Test::HasFailure(); ++seed) {
            SCOPED_TRACE(seed);
            const Network network = front_end(test::random_shape(seed, 20).view());
            expect_independent_of_numbers(network, plain, other, random);
        }
    }
}

} // namespace
} // namespace sprig::constellation
