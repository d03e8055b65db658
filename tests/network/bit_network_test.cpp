#include "network/bit_network.h"

#include <array>
#include <random>
#include <set>

#include <gmock/gmock.h>

#include "network/samples.h"

namespace sprig {
namespace {

/// A network of n nodes with random edges in two layers.
Network random_network(std::size_t n, std::uint32_t seed) {
    std::mt19937 random(seed);
    Network network(test::chair_schema());
    for (std::size_t i = 0; i < n; ++i) {
        network.add_node(random() % 2, std::array<double, 3>{0, 0, 0});
    }
    std::set<std::array<std::uint32_t, 3>> seen;
    for (std::size_t i = 0; i < 3 * n; ++i) {
        const Edge e{static_cast<NodeId>(random() % n), static_cast<NodeId>(random() % n),
                     static_cast<std::uint32_t>(random() % 2), 0, 0};
        if (e.from != e.to && seen.insert({e.layer, e.from, e.to}).second) network.add_edge(e);
    }
    network.check();
    return network;
}

/// Both forms have the same edges and types.
void expect_same(const Network& network, const BitNetwork& bits) {
    std::set<std::array<std::uint32_t, 3>> edges;
    for (const Edge& e : network.edges()) edges.insert({e.layer, e.from, e.to});
    ASSERT_EQ(bits.node_count(), network.node_count());
    for (std::uint32_t layer = 0; layer < 2; ++layer) {
        for (NodeId a = 0; a < network.node_count(); ++a) {
            for (NodeId b = 0; b < network.node_count(); ++b) {
                const bool expected = edges.contains({layer, a, b});
                ASSERT_EQ(bits.has_edge(layer, a, b), expected);
                ASSERT_EQ(BitNetwork::test(bits.predecessors(layer, b), a), expected);
            }
        }
    }
    for (NodeId a = 0; a < network.node_count(); ++a) {
        ASSERT_TRUE(BitNetwork::test(bits.of_type(network.type(a)), a));
        ASSERT_FALSE(BitNetwork::test(bits.of_type(1 - network.type(a)), a));
    }
}

TEST(BitNetwork, MatchesTheNetworkAtAnySize) {
    BitNetwork reused;
    for (const std::size_t n : {1U, 2U, 63U, 64U, 65U, 128U, 129U, 300U, 5U}) {
        const Network network = random_network(n, static_cast<std::uint32_t>(n));
        EXPECT_EQ(BitNetwork(network).words(), (n + 63) / 64);
        expect_same(network, BitNetwork(network));
        reused.assign(network);
        expect_same(network, reused);
    }
}

TEST(BitNetwork, OfAnEmptyNetworkIsEmpty) {
    const BitNetwork bits{Network(test::chair_schema())};
    EXPECT_EQ(bits.node_count(), 0U);
    EXPECT_EQ(bits.words(), 0U);
}

} // namespace
} // namespace sprig
