#include "match/observation.h"

#include <algorithm>
#include <array>
#include <bit>

#include <gmock/gmock.h>

#include "match/problems.h"
#include "sprig/error.h"

namespace sprig::match {
namespace {

using namespace test;
using testing::ElementsAre;

std::shared_ptr<const Schema> plain_schema(int dimensions = 2) {
    Schema schema;
    schema.dimensions = dimensions;
    schema.node_types = {"a", "b", "c"};
    schema.layers = {"near", "far"};
    return std::make_shared<const Schema>(schema);
}

/// Four nodes; in canonical order they are 3, 1, 0, 2.
Network four_nodes() {
    Network network(plain_schema());
    network.add_node(2, std::array{1.0, 5.0});
    network.add_node(0, std::array{1.0, 5.0});
    network.add_node(0, std::array{1.5, 0.0});
    network.add_node(1, std::array{1.0, 4.0});
    return network;
}

std::vector<NodeId> originals(const Observation& observation) {
    std::vector<NodeId> result;
    for (std::uint32_t n = 0; n < observation.node_count(); ++n) result.push_back(observation.original(n));
    return result;
}

TEST(Observation, IsOrderedByPositionThenType) {
    Observation observation;
    observation.assign(four_nodes());
    EXPECT_THAT(originals(observation), ElementsAre(3, 1, 0, 2));
    EXPECT_EQ(observation.type(0), 1U);
    EXPECT_EQ(observation.type(1), 0U);
    EXPECT_EQ(observation.type(2), 2U);
    EXPECT_EQ(observation.position(3), (Point{{1.5, 0, 0}}));
}

TEST(Observation, SortsEdgesByLayerThenEnds) {
    Network network = four_nodes();
    network.add_edge({3, 2, 1}); // 0 to 3
    network.add_edge({2, 3, 0}); // 3 to 0
    network.add_edge({1, 2, 0}); // 1 to 3
    network.add_edge({1, 0, 0}); // 1 to 2
    Observation observation;
    observation.assign(network);
    using E = Observation::Edge;
    EXPECT_THAT(observation.sorted_edges(), ElementsAre(E{0, 1, 2}, E{0, 1, 3}, E{0, 3, 0}, E{1, 0, 3}));
    EXPECT_TRUE(observation.bits().has_edge(0, 1, 2));
    EXPECT_FALSE(observation.bits().has_edge(0, 2, 1));
}

TEST(Observation, ASignatureHasABitForEachKindOfNeighbour) {
    Network network = four_nodes();
    network.add_edge({1, 0, 0});
    network.add_edge({1, 3, 1});
    Observation observation;
    observation.assign(network);
    EXPECT_EQ(observation.signature(1), signature_bit(0, true, 2, 3) | signature_bit(1, true, 1, 3));
    EXPECT_EQ(observation.signature(2), signature_bit(0, false, 0, 3));
    EXPECT_EQ(observation.signature(0), signature_bit(1, false, 0, 3));
    EXPECT_EQ(observation.signature(3), 0U);
}

TEST(Observation, UpTo64KindsOfNeighboursHaveSeparateBits) {
    // The front end has 8 types and 4 layers: 64 kinds.
    Signature all = 0;
    for (std::uint32_t layer = 0; layer < 4; ++layer) {
        for (const bool outgoing : {false, true}) {
            for (std::uint32_t type = 0; type < 8; ++type) all |= signature_bit(layer, outgoing, type, 8);
        }
    }
    EXPECT_EQ(std::popcount(all), 64);
    // More kinds share bits.
    EXPECT_EQ(signature_bit(3, true, 23, 24), Signature{1} << ((7U * 24U + 23U) % 64U));
}

TEST(Observation, DoesNotDependOnNodeNumbers) {
    Observation first;
    Observation second;
    for (std::uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const Network network = random_problem(random::mix({31, seed})).observation;
        Draws draws(random::mix({32, seed}));
        const std::vector<NodeId> names = draws.order(network.node_count());
        first.assign(network);
        second.assign(renumbered(network, names, draws));
        ASSERT_EQ(second.node_count(), first.node_count());
        for (std::uint32_t n = 0; n < first.node_count(); ++n) {
            EXPECT_EQ(second.original(n), names[first.original(n)]);
            EXPECT_EQ(second.type(n), first.type(n));
            EXPECT_EQ(second.position(n), first.position(n));
            EXPECT_EQ(second.signature(n), first.signature(n));
        }
        EXPECT_EQ(second.sorted_edges(), first.sorted_edges());
        EXPECT_EQ(first.sorted_edges().size(), network.edge_count());
    }
}

TEST(Observation, AssignReplacesTheContent) {
    Network with_edges = four_nodes();
    with_edges.add_edge({0, 1, 0});
    Observation observation;
    observation.assign(with_edges);
    observation.assign(four_nodes());
    EXPECT_TRUE(observation.sorted_edges().empty());
    EXPECT_EQ(observation.signature(1), 0U);
    observation.assign(Network(plain_schema()));
    EXPECT_EQ(observation.node_count(), 0U);
}

TEST(Observation, HasUpToThreeCoordinates) {
    Network deep(plain_schema(3));
    deep.add_node(0, std::array{1.0, 2.0, 3.0});
    Observation observation;
    observation.assign(deep);
    EXPECT_EQ(observation.position(0), (Point{{1, 2, 3}}));
    EXPECT_THROW(observation.assign(Network(plain_schema(4))), Error);
}

} // namespace
} // namespace sprig::match
