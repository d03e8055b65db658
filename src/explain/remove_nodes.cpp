#include <vector>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/explain.h"

namespace sprig {

namespace {

/// The next remaining node on the contour. A node that remains alone on its contour is its own successor.
NodeId next_remaining(const Network& network, NodeId node, const std::vector<NodeId>& new_id) {
    NodeId at = network.next(node);
    while (at != no_node && new_id[at] == no_node) at = network.next(at);
    return at;
}

} // namespace

Network remove_nodes(const Network& network, std::span<const NodeId> nodes) {
    std::vector<NodeId> new_id(network.node_count(), 0);
    for (const NodeId node : nodes) {
        if (node >= network.node_count())
            throw usage_error(
                fmt::format("cannot remove node {}: the network has {} nodes", node, network.node_count()));
        new_id[node] = no_node;
    }
    Network rest(network.shared_schema());
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (new_id[node] != no_node)
            new_id[node] =
                rest.add_node(network.type(node), network.position(node), network.attributes(node));
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (new_id[node] == no_node) continue;
        const NodeId next = next_remaining(network, node, new_id);
        if (next != no_node) rest.link(new_id[node], new_id[next]);
    }
    for (EdgeId id = 0; id < network.edge_count(); ++id) {
        Edge edge = network.edge(id);
        if (new_id[edge.from] == no_node || new_id[edge.to] == no_node) continue;
        edge.from = new_id[edge.from];
        edge.to = new_id[edge.to];
        rest.add_edge(edge, network.displacement(id));
    }
    return rest;
}

} // namespace sprig
