#include <vector>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/explain.h"

namespace sprig {

namespace {

/// The next node along the contour that stays; a node that is left alone on its contour follows itself.
NodeId next_kept(const Network& network, NodeId node, const std::vector<NodeId>& name) {
    NodeId at = network.next(node);
    while (at != no_node && name[at] == no_node) at = network.next(at);
    return at;
}

} // namespace

Network without(const Network& network, std::span<const NodeId> nodes) {
    std::vector<NodeId> name(network.node_count(), 0);
    for (const NodeId node : nodes) {
        if (node >= network.node_count())
            throw usage_error(
                fmt::format("node {} cannot be taken away: the network has {}", node, network.node_count()));
        name[node] = no_node;
    }
    Network rest(network.shared_schema());
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (name[node] != no_node)
            name[node] = rest.add_node(network.type(node), network.position(node), network.attributes(node));
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (name[node] == no_node) continue;
        const NodeId next = next_kept(network, node, name);
        if (next != no_node) rest.link(name[node], name[next]);
    }
    for (EdgeId id = 0; id < network.edge_count(); ++id) {
        Edge edge = network.edge(id);
        if (name[edge.from] == no_node || name[edge.to] == no_node) continue;
        edge.from = name[edge.from];
        edge.to = name[edge.to];
        rest.add_edge(edge, network.displacement(id));
    }
    return rest;
}

} // namespace sprig
