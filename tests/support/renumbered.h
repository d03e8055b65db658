#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "sprig/network.h"

namespace sprig::test {

/// A network with its nodes and edges in another order.
inline Network renumbered(const Network& network, std::mt19937_64& random) {
    std::vector<NodeId> order(network.node_count());
    std::iota(order.begin(), order.end(), NodeId{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<NodeId> name(order.size());
    Network other(network.shared_schema());
    for (const NodeId node : order) {
        name[node] = other.add_node(network.type(node), network.position(node), network.attributes(node));
    }
    for (const NodeId node : order) {
        if (network.next(node) != no_node) other.link(name[node], name[network.next(node)]);
    }
    std::vector<Edge> edges(network.edges().begin(), network.edges().end());
    std::shuffle(edges.begin(), edges.end(), random);
    for (Edge& edge : edges) {
        edge.from = name[edge.from];
        edge.to = name[edge.to];
    }
    other.set_edges(edges);
    return other;
}

} // namespace sprig::test
