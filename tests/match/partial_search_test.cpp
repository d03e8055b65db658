#include "match/partial_search.h"

#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include <gmock/gmock.h>

#include "match/full_search.h"
#include "match/problems.h"
#include "match/recount.h"

namespace sprig::match {
namespace {

using namespace test;
using testing::ElementsAre;

/// Checks random problems, each without and with a bound.
template <class Check>
void for_problems(std::uint64_t family, std::uint64_t count, Check check) {
    for (std::uint64_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Problem problem = random_problem(random::mix({family, seed}));
        check(problem);
        Draws draws(random::mix({family, seed, 1}));
        problem.max_error = std::array{0.5, 1.0, std::sqrt(2.0), 2.0, std::sqrt(13.0)}[draws.below(5)];
        check(problem);
    }
}

bool is_full(const PreparedProblem& prepared) {
    FullSearch search;
    WorkCounts work;
    std::vector<std::uint32_t> placed;
    return search(prepared.query(), placed, work);
}

TEST(PartialSearch, ReportsItsCoverageCorrectly) {
    PartialSearch search; // reused, as in a model
    int whole = 0;
    int part = 0;
    for_problems(11, 5'000, [&](const Problem& problem) {
        const PreparedProblem prepared(problem);
        WorkCounts work;
        const PartialMatch& match = search(prepared.query(), work);
        EXPECT_EQ(work.partial, 1U);
        expect_valid(problem, prepared.originals(match.placed), match);
        if (match.degree == 1) {
            EXPECT_TRUE(is_full(prepared)) << "the exact search must find it too";
        }
        whole += match.degree == 1 ? 1 : 0;
        part += match.degree > 0 && match.degree < 1 ? 1 : 0;
    });
    EXPECT_GT(whole, 3'000);
    EXPECT_GT(part, 2'000);
}

// Without a bound, a node stays unplaced only if there is no free node of its type.
TEST(PartialSearch, PlacesAsManyNodesAsThereAreOfEachType) {
    PartialSearch search;
    for (std::uint64_t seed = 0; seed < 2'000 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = random_problem(random::mix({12, seed}));
        std::map<std::uint32_t, std::array<std::size_t, 2>> of_type; // wanted and free
        for (NodeId n = 0; n < problem.own; ++n) ++of_type[problem.pattern.type(n)][0];
        for (NodeId n = 0; n < problem.observation.node_count(); ++n) {
            if (problem.taken[n] == 0) ++of_type[problem.observation.type(n)][1];
        }
        std::size_t expected = 0;
        for (const auto& [type, counts] : of_type) expected += std::min(counts[0], counts[1]);
        const PreparedProblem prepared(problem);
        WorkCounts work;
        EXPECT_EQ(search(prepared.query(), work).nodes, expected);
    }
}

// The eight seeds include the first, and only a larger coverage replaces a placement.
TEST(PartialSearch, MoreSeedsAreNeverWorse) {
    PartialSearch one(1);
    PartialSearch eight(8);
    int better = 0;
    for_problems(13, 3'000, [&](const Problem& problem) {
        const PreparedProblem prepared(problem);
        WorkCounts work;
        const PartialMatch& first = one(prepared.query(), work);
        const PartialMatch& best = eight(prepared.query(), work);
        EXPECT_GE(std::tie(best.degree, best.edges, best.nodes),
                  std::tie(first.degree, first.edges, first.nodes));
        better += best.degree > first.degree ? 1 : 0;
    });
    EXPECT_GT(better, 100);
}

TEST(PartialSearch, DoesNotDependOnNodeNumbers) {
    PartialSearch search;
    for (std::uint64_t seed = 0; seed < 1'000 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = random_problem(random::mix({14, seed}));
        Draws draws(random::mix({15, seed}));
        const std::vector<NodeId> names = draws.order(problem.observation.node_count());
        Problem other = problem;
        other.observation = renumbered(problem.observation, names, draws);
        for (NodeId& pin : other.pins) pin = names[pin];
        for (NodeId n = 0; n < names.size(); ++n) other.taken[names[n]] = problem.taken[n];
        const PreparedProblem prepared(problem);
        const PreparedProblem prepared_other(other);
        WorkCounts work;
        std::vector<NodeId> expected = prepared.originals(search(prepared.query(), work).placed);
        for (NodeId& at : expected) at = at == unassigned ? unassigned : names[at];
        EXPECT_EQ(prepared_other.originals(search(prepared_other.query(), work).placed), expected);
    }
}

std::shared_ptr<const Schema> plain_schema() {
    Schema schema;
    schema.node_types = {"a"};
    schema.layers = {"near"};
    return std::make_shared<const Schema>(schema);
}

/// Nodes of one type at these x coordinates.
Network nodes_at(std::initializer_list<double> xs) {
    Network network(plain_schema());
    for (const double x : xs) network.add_node(0, std::array{x, 0.0});
    return network;
}

TEST(PartialSearch, SeedsAgainWhereNoEdgeLeadsFurther) {
    Problem problem{nodes_at({0, 1, 20, 23}), 4, nodes_at({5, 6, 21, 24, 40})};
    for (Network* network : {&problem.pattern, &problem.observation}) {
        network->add_edge({0, 1, 0});
        network->add_edge({2, 3, 0});
    }
    const PreparedProblem prepared(problem);
    WorkCounts work;
    PartialSearch search;
    const PartialMatch& match = search(prepared.query(), work);
    EXPECT_THAT(prepared.originals(match.placed), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(match.degree, 1);
}

TEST(PartialSearch, GrowsFromThePins) {
    // By position alone the node would be placed at 0; relative to its anchor, 10 px to the right, at 11.
    Problem problem{nodes_at({1, 0}), 1, nodes_at({0, 10, 11}), {1}, {0, 1, 0}};
    problem.pattern.add_edge({1, 0, 0});
    problem.observation.add_edge({1, 2, 0});
    const PreparedProblem prepared(problem);
    WorkCounts work;
    PartialSearch search;
    EXPECT_THAT(prepared.originals(search(prepared.query(), work).placed), ElementsAre(2));
}

// The square of a bound may be rounded down: both searches must then give the same result.
TEST(PartialSearch, AppliesTheBoundLikeTheExactSearch) {
    Problem problem{nodes_at({0}), 1, nodes_at({})};
    problem.observation.add_node(0, std::array{2.0, 3.0});
    problem.max_error = std::sqrt(13.0);
    const PreparedProblem prepared(problem);
    WorkCounts work;
    PartialSearch search;
    EXPECT_EQ(search(prepared.query(), work).degree == 1, is_full(prepared));
}

TEST(PartialSearch, EmptyPatternsAndObservations) {
    PartialSearch search;
    WorkCounts work;
    const Problem nothing{nodes_at({}), 0, nodes_at({1})};
    EXPECT_EQ(search(PreparedProblem(nothing).query(), work).degree, 1);
    const Problem no_candidate{nodes_at({1}), 1, nodes_at({})};
    EXPECT_EQ(search(PreparedProblem(no_candidate).query(), work).degree, 0);
    // Only edges between anchors, one of two present.
    Problem edges{nodes_at({0, 1, 2}), 0, nodes_at({0, 1, 2}), {0, 1, 2}, {1, 1, 1}};
    edges.pattern.add_edge({0, 1, 0});
    edges.pattern.add_edge({1, 2, 0});
    edges.observation.add_edge({0, 1, 0});
    EXPECT_EQ(search(PreparedProblem(edges).query(), work).degree, 0.5);
}

} // namespace
} // namespace sprig::match
