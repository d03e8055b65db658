#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sprig/network.h"

namespace sprig::test {

/// "x-min-convex 3,4.5" for each node, in the network's order.
inline std::vector<std::string> nodes_of(const Network& network) {
    std::vector<std::string> nodes;
    for (NodeId n = 0; n < network.node_count(); ++n) {
        nodes.push_back(fmt::format("{} {:g},{:g}", network.schema().node_types[network.type(n)],
                                    network.coordinate(n, 0), network.coordinate(n, 1)));
    }
    return nodes;
}

/// "0>1 @0-2" for each edge of a layer, sorted: from 0 to 1 on the levels 0 to 2.
inline std::vector<std::string> edges_of(const Network& network, std::uint32_t layer) {
    std::vector<std::string> edges;
    for (const Edge& e : network.edges()) {
        if (e.layer == layer) {
            edges.push_back(fmt::format("{}>{} @{}-{}", e.from, e.to, e.first_level, e.last_level));
        }
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

} // namespace sprig::test
