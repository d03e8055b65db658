#include "match/recount.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "match/pattern.h"

namespace sprig::test {

namespace {

std::size_t count_edges(const Problem& problem, const std::vector<NodeId>& placed) {
    const auto image = [&](NodeId end) {
        return end < problem.own ? placed[end] : problem.pins[end - problem.own];
    };
    std::size_t edges = 0;
    for (EdgeId e = 0; e < problem.pattern.edge_count(); ++e) {
        const Edge& edge = problem.pattern.edge(e);
        const NodeId from = image(edge.from);
        const NodeId to = image(edge.to);
        if (from == match::unassigned || to == match::unassigned) continue;
        if (!has_edge(problem.observation, edge.layer, from, to)) continue;
        if (squared_error(problem, e, from, to) <= problem.max_error * problem.max_error) ++edges;
    }
    return edges;
}

} // namespace

void expect_valid(const Problem& problem, const std::vector<NodeId>& placed,
                  const match::PartialMatch& match) {
    ASSERT_EQ(placed.size(), problem.own);
    std::set<NodeId> in_use;
    for (NodeId n = 0; n < placed.size(); ++n) {
        const NodeId at = placed[n];
        if (at == match::unassigned) continue;
        ASSERT_LT(at, problem.observation.node_count());
        EXPECT_EQ(problem.observation.type(at), problem.pattern.type(n));
        EXPECT_TRUE(in_use.insert(at).second) << "two nodes are placed on " << at;
        EXPECT_TRUE(problem.taken.empty() || problem.taken[at] == 0) << at << " is taken";
        if (is_isolated(problem.pattern, n)) {
            EXPECT_LE(squared_distance(problem, n, at), problem.max_error * problem.max_error);
        }
    }
    EXPECT_EQ(match.nodes, in_use.size());
    EXPECT_EQ(match.edges, count_edges(problem, placed));
    const auto fraction = [](std::size_t part, std::size_t whole) {
        return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    EXPECT_EQ(match.degree, std::min(fraction(in_use.size(), problem.own),
                                     fraction(count_edges(problem, placed), problem.pattern.edge_count())));
}

} // namespace sprig::test
