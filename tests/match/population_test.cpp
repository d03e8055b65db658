#include "match/population.h"

#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include "match/full_search.h"
#include "match/problems.h"
#include "match/recount.h"

namespace sprig::match {
namespace {

using namespace test;

TEST(Population, ReportsItsCoverageCorrectly) {
    PopulationSearch search;
    FullSearch full;
    int whole = 0;
    int part = 0;
    for (std::uint64_t seed = 0; seed < 2'000 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Problem problem = random_problem(random::mix({21, seed}));
        if (seed % 2 == 1) problem.max_error = std::array{0.5, 1.0, std::sqrt(13.0)}[seed % 3];
        const PreparedProblem prepared(problem);
        WorkCounts work;
        const PartialMatch& match = search(prepared.query(), work, seed);
        EXPECT_EQ(work.partial, 1U);
        expect_valid(problem, prepared.originals(match.placed), match);
        if (match.degree == 1) {
            std::vector<std::uint32_t> placed;
            EXPECT_TRUE(full(prepared.query(), placed, work));
        }
        whole += match.degree == 1 ? 1 : 0;
        part += match.degree > 0 && match.degree < 1 ? 1 : 0;
    }
    EXPECT_GT(whole, 600);
    EXPECT_GT(part, 400);
}

TEST(Population, DependsOnlyOnItsKey) {
    PopulationSearch used_before;
    int differs = 0;
    for (std::uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = random_problem(random::mix({22, seed}));
        const PreparedProblem prepared(problem);
        WorkCounts work;
        const PartialMatch first = used_before(prepared.query(), work, 1);
        const PartialMatch other = used_before(prepared.query(), work, 2);
        EXPECT_EQ(used_before(prepared.query(), work, 1).placed, first.placed);
        EXPECT_EQ(PopulationSearch()(prepared.query(), work, 1).placed, first.placed);
        differs += other.placed != first.placed ? 1 : 0;
    }
    EXPECT_GT(differs, 10) << "no random draws";
}

/// A complete observation, to be found in itself.
Problem of_itself(std::uint64_t key) {
    const Network network = random_problem(key).observation;
    return {network, network.node_count(), network};
}

TEST(Population, FindsANetworkInItself) {
    PopulationSearch search;
    for (std::uint64_t seed = 0; seed < 1'000 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = of_itself(random::mix({23, seed}));
        const PreparedProblem prepared(problem);
        WorkCounts work;
        EXPECT_EQ(search(prepared.query(), work, seed).degree, 1);
    }
}

TEST(Population, ALargerPopulationCoversMore) {
    PopulationSearch one({.size = 1});
    PopulationSearch twelve;
    double degrees = 0;
    for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
        const Problem problem = random_problem(random::mix({24, seed}));
        const PreparedProblem prepared(problem);
        WorkCounts work;
        degrees += twelve(prepared.query(), work, seed).degree - one(prepared.query(), work, seed).degree;
    }
    EXPECT_GT(degrees, 20);
}

std::shared_ptr<const Schema> plain_schema() {
    Schema schema;
    schema.node_types = {"a"};
    schema.layers = {"near", "far"};
    return std::make_shared<const Schema>(schema);
}

/// Nodes of one type at these x coordinates.
Network nodes_at(std::initializer_list<double> xs) {
    Network network(plain_schema());
    for (const double x : xs) network.add_node(0, std::array{x, 0.0});
    return network;
}

// Two nodes compete for the position 10. It has the smaller error for the second node, but the edges are
// present only if the first is placed there. This is found only if both are admitted and the search forks.
TEST(Population, ForksIfTwoNodesCompete) {
    Problem problem{nodes_at({9, 10, 0}), 2, nodes_at({0, 10, 11}), {0}, {1, 0, 0}};
    problem.pattern.add_edge({2, 0, 0});
    problem.pattern.add_edge({2, 1, 1});
    problem.observation.add_edge({0, 1, 0});
    problem.observation.add_edge({0, 2, 1});
    const PreparedProblem prepared(problem);
    PopulationSearch search;
    WorkCounts work;
    int found = 0;
    for (std::uint64_t key = 0; key < 200; ++key)
        found += search(prepared.query(), work, key).degree == 1 ? 1 : 0;
    // It is admitted at the strictest tolerance with a probability of 1 / e.
    EXPECT_GT(found, 40);
    EXPECT_LT(found, 120);
}

TEST(Population, SeedsAgainIfAllowed) {
    Network pairs = nodes_at({0, 1, 20, 23});
    pairs.add_edge({0, 1, 0});
    pairs.add_edge({2, 3, 0});
    const Problem problem{pairs, 4, pairs};
    const PreparedProblem prepared(problem);
    WorkCounts work;
    EXPECT_EQ(PopulationSearch()(prepared.query(), work, 0).degree, 1);
    EXPECT_EQ(PopulationSearch({.seed_again = false})(prepared.query(), work, 0).degree, 0.5);
}

} // namespace
} // namespace sprig::match
