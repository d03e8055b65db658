#pragma once

#include <vector>

#include "modeller/class_model.h"

// Sources of units, made by hand.

namespace sprig::modeller {

inline NodeRecord node(std::uint32_t type) {
    NodeRecord record;
    record.type = type;
    return record;
}

/// So many nodes of types 0, 1, 2 ... in a row, joined by edges of layer 0.
inline Source row(std::uint32_t nodes) {
    Source source;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        source.nodes.push_back(node(i));
        if (i > 0) source.edges.push_back({i - 1, i, 0, {}});
    }
    return source;
}

/// One node of type 7, with an edge from each anchor to it.
inline Source tip_on(std::vector<NodeSlot> anchors) {
    Source source;
    source.nodes.push_back(node(7));
    for (std::uint32_t a = 0; a < anchors.size(); ++a) source.edges.push_back({1 + a, 0, 1, {}});
    source.anchors = std::move(anchors);
    return source;
}

/// No node of its own: one edge between two anchors.
inline Source edge_on(NodeSlot from, NodeSlot to) {
    return {{}, {{0, 1, 2, {}}}, {from, to}};
}

} // namespace sprig::modeller
