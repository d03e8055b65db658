// The exact search, compared with brute force, with each optimisation on and off.

#include "match/full_search.h"

#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include "match/brute_force.h"
#include "match/problems.h"
#include "sprig/error.h"

namespace sprig::match {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr std::uint64_t problem_count = 12'000;
constexpr std::uint64_t unlimited = 100'000'000;

/// All optimisations, each one off, and none.
std::vector<SearchOptions> all_options() {
    std::vector<SearchOptions> all(6);
    all[1].signatures = false;
    all[2].look_ahead = false;
    all[3].smallest_first = false;
    all[4].bound = false;
    all[5] = {false, false, false, false, unlimited};
    for (SearchOptions& options : all) options.budget = unlimited;
    return all;
}

struct SearchResult {
    bool any = false;
    std::vector<NodeId> placed; ///< node numbers of the network
    double cost = 0;
    bool operator==(const SearchResult&) const = default;
};
void PrintTo(const SearchResult& found, std::ostream* out) {
    *out << found.any << " " << testing::PrintToString(found.placed) << " at " << found.cost;
}

SearchResult find(FullSearch& search, const PreparedProblem& prepared, WorkCounts& work) {
    std::vector<std::uint32_t> placed;
    if (!search(prepared.query(), placed, work)) return {};
    return {true, prepared.originals(placed), placement_cost(prepared.query(), placed)};
}

SearchResult find(const Problem& problem) {
    FullSearch search;
    WorkCounts work;
    return find(search, PreparedProblem(problem), work);
}

/// Bounds that exclude some placements. The square of the last one is rounded down.
double random_bound(Draws& draws) {
    return std::array{0.5, 1.0, 1.5, std::sqrt(2.0), std::sqrt(5.0), 3.0, std::sqrt(13.0)}[draws.below(7)];
}

struct Tally {
    int found = 0;
    int tied = 0; ///< several placements are equally cheap
    int pinned = 0;
    int isolated = 0; ///< found, with a node without edges
};

void compare(const Problem& problem, std::vector<FullSearch>& searches, Tally& tally) {
    const BestPlacement best = best_placement(problem);
    const SearchResult expected = {best.equals > 0, best.placed, best.cost};
    const PreparedProblem prepared(problem);
    for (std::size_t s = 0; s < searches.size(); ++s) {
        WorkCounts work;
        EXPECT_EQ(find(searches[s], prepared, work), expected) << "with options " << s;
        EXPECT_EQ(work.gave_up, 0U);
        EXPECT_EQ(work.searches, 1U);
    }
    if (best.equals == 0) return;
    ++tally.found;
    tally.tied += best.equals > 1 ? 1 : 0;
    tally.pinned += problem.own > 0 && !problem.pins.empty() ? 1 : 0;
    for (NodeId n = 0; n < problem.own; ++n) {
        if (is_isolated(problem.pattern, n)) {
            ++tally.isolated;
            return;
        }
    }
}

TEST(FullSearch, AgreesWithBruteForce) {
    std::vector<FullSearch> searches;
    for (const SearchOptions& options : all_options()) searches.emplace_back(options);
    Tally unbounded;
    Tally bounded;
    for (std::uint64_t seed = 0; seed < problem_count && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Problem problem = random_problem(random::mix({1, seed}));
        compare(problem, searches, unbounded);
        Draws draws(random::mix({2, seed}));
        problem.max_error = random_bound(draws);
        compare(problem, searches, bounded);
    }
    // The problems must include many matches and many ties.
    for (const Tally& tally : {unbounded, bounded}) {
        EXPECT_GT(tally.found, 5'000);
        EXPECT_GT(tally.tied, 500);
        EXPECT_GT(tally.pinned, 1'000);
        EXPECT_GT(tally.isolated, 2'000);
        EXPECT_LT(tally.found, 10'000);
    }
}

TEST(FullSearch, DoesNotDependOnNodeNumbers) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 2'000 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Problem problem = random_problem(random::mix({3, seed}));
        Draws draws(random::mix({4, seed}));
        const std::vector<NodeId> names = draws.order(problem.observation.node_count());
        Problem other = problem;
        other.observation = renumbered(problem.observation, names, draws);
        for (NodeId& pin : other.pins) pin = names[pin];
        for (NodeId n = 0; n < names.size(); ++n) other.taken[names[n]] = problem.taken[n];
        SearchResult expected = find(problem);
        for (NodeId& at : expected.placed) at = names[at];
        EXPECT_EQ(find(other), expected);
        found += expected.any ? 1 : 0;
    }
    EXPECT_GT(found, 500);
}

/// The problem in a larger network: adds taken nodes of the same types with edges, either around the nodes of
/// the problem or before all of them.
Problem padded(const Problem& problem, std::size_t nodes, Draws& draws) {
    Problem large = problem;
    Network& observation = large.observation;
    const double least = draws.chance(0.5) ? -6.125 : -16.125; // a multiple of 1/8, so that no nodes coincide
    while (observation.node_count() < nodes) {
        std::vector<double> at(observation.position(0).size());
        for (double& coordinate : at) coordinate = least + (0.25 * draws.below(64));
        const NodeId added = observation.add_node(draws.below(observation.schema().node_types.size()), at);
        observation.add_edge({added, draws.below(added), 0});
    }
    large.taken.resize(nodes, 1);
    return large;
}

TEST(FullSearch, FindsTheSameInLargeNetworks) {
    FullSearch search; // reused for all sizes, as in a model
    int found = 0;
    for (std::uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
        const Problem problem = random_problem(random::mix({5, seed}));
        const SearchResult expected = find(problem);
        found += expected.any ? 1 : 0;
        for (const std::size_t nodes : {64U, 65U, 200U, 256U, 257U, 600U, 1024U}) {
            if (nodes > 257 && seed % 10 != 0) continue; // slow
            SCOPED_TRACE(testing::Message() << "problem " << seed << " in " << nodes << " nodes");
            Draws draws(random::mix({6, seed, nodes}));
            WorkCounts work;
            const Problem large = padded(problem, nodes, draws);
            EXPECT_EQ(find(search, PreparedProblem(large), work), expected);
        }
    }
    EXPECT_GT(found, 100);
}

std::shared_ptr<const Schema> plain_schema() {
    Schema schema;
    schema.node_types = {"a", "b"};
    schema.layers = {"near"};
    return std::make_shared<const Schema>(schema);
}

/// A row of nodes of type a, without edges.
Network row_of(std::size_t nodes) {
    Network network(plain_schema());
    for (std::size_t i = 0; i < nodes; ++i) network.add_node(0, std::array{static_cast<double>(i), 0.0});
    return network;
}

TEST(FullSearch, ReportsWhenItGivesUp) {
    const Problem problem{row_of(7), 7, row_of(9)};
    SearchOptions options{false, false, false, false, unlimited};
    const auto work_with = [&](std::uint64_t budget) {
        options.budget = budget;
        FullSearch search(options);
        WorkCounts work;
        (void)find(search, PreparedProblem(problem), work);
        return work;
    };
    const std::uint64_t needed = work_with(unlimited).visited;
    EXPECT_GT(needed, 100'000U);
    EXPECT_EQ(work_with(needed).gave_up, 0U);
    EXPECT_EQ(work_with(needed - 1).gave_up, 1U);
    const WorkCounts little = work_with(20);
    EXPECT_EQ(little.gave_up, 1U);
    EXPECT_LE(little.visited, 21U);
    // It returns the best placement found so far.
    FullSearch search(options);
    WorkCounts work;
    const SearchResult found = find(search, PreparedProblem(problem), work);
    EXPECT_TRUE(found.any);
    EXPECT_THAT(found.placed, testing::SizeIs(7));
}

TEST(FullSearch, CountsEachSearchThatGaveUp) {
    const Problem problem{row_of(7), 7, row_of(9)};
    FullSearch search({false, false, false, false, 20});
    WorkCounts work;
    for (int i = 0; i < 3; ++i) (void)find(search, PreparedProblem(problem), work);
    const Problem easy{row_of(1), 1, row_of(2)};
    (void)find(search, PreparedProblem(easy), work);
    EXPECT_EQ(work.searches, 4U);
    EXPECT_EQ(work.gave_up, 3U);
}

TEST(FullSearch, EmptyPatternsAndObservations) {
    const SearchResult empty = {true, {}, 0};
    EXPECT_EQ(find({row_of(0), 0, row_of(3)}), empty);
    EXPECT_EQ(find({row_of(0), 0, row_of(0)}), empty);
    EXPECT_EQ(find({row_of(1), 1, row_of(0)}), SearchResult{});
}

TEST(FullSearch, MoreNodesThanObserved) {
    EXPECT_EQ(find({row_of(4), 4, row_of(3)}), SearchResult{});
    Problem all_taken{row_of(1), 1, row_of(3)};
    all_taken.taken = {1, 1, 1};
    EXPECT_EQ(find(all_taken), SearchResult{});
}

// A residual may have only edges: they must be present, though there is nothing to place.
TEST(FullSearch, EdgesBetweenAnchorsMustHold) {
    Problem problem{row_of(2), 0, row_of(3), {0, 2}, {1, 0, 1}};
    problem.observation.add_edge({0, 2, 0});
    problem.pattern.add_edge({0, 1, 0}, std::array{1.0, 0.0});
    const SearchResult found = {true, {}, 1};
    EXPECT_EQ(find(problem), found);
    problem.max_error = 1;
    EXPECT_EQ(find(problem), found);
    problem.max_error = 0.99;
    EXPECT_EQ(find(problem), SearchResult{}) << "one px off";
    problem.max_error = 1;
    std::swap(problem.pins[0], problem.pins[1]);
    EXPECT_EQ(find(problem), SearchResult{}) << "the edge has the opposite direction";
    problem.pins = {0, 1};
    EXPECT_EQ(find(problem), SearchResult{}) << "no edge";
}

TEST(FullSearch, TiesGoToTheFirstInCanonicalOrder) {
    // The pattern's only node is half-way between two observed nodes, which are numbered in reverse order.
    Problem problem{row_of(0), 1, row_of(0)};
    problem.pattern.add_node(0, std::array{1.0, 5.0});
    problem.observation.add_node(0, std::array{2.0, 5.0});
    problem.observation.add_node(0, std::array{0.0, 5.0});
    const SearchResult left = {true, {1}, 1};
    EXPECT_EQ(find(problem), left);
}

TEST(FullSearch, NetworksThatAreTooLargeAreRefused) {
    Observation observation;
    observation.assign(row_of(max_nodes));
    EXPECT_EQ(observation.node_count(), max_nodes);
    try {
        observation.assign(row_of(max_nodes + 1));
        FAIL() << "a network of more than max_nodes nodes was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_THAT(error.what(), HasSubstr("1025 nodes"));
        EXPECT_THAT(error.what(), HasSubstr("at most 1024"));
    }
}

} // namespace
} // namespace sprig::match
