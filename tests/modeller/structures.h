#pragma once

#include <vector>

#include "modeller/class_model.h"

// Contents of units, made by hand.

namespace sprig::modeller {

inline NodeRecord node(std::uint32_t type) {
    NodeRecord record;
    record.type = type;
    return record;
}

/// A row of nodes of types 0, 1, 2 ..., joined by edges of layer 0.
inline UnitContent row(std::uint32_t nodes) {
    UnitContent content;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        content.nodes.push_back(node(i));
        if (i > 0) content.edges.push_back({i - 1, i, 0, {}});
    }
    return content;
}

/// One node of type 7, with an edge from each anchor to it.
inline UnitContent tip_on(std::vector<NodeSlot> anchors) {
    UnitContent content;
    content.nodes.push_back(node(7));
    for (std::uint32_t a = 0; a < anchors.size(); ++a) content.edges.push_back({1 + a, 0, 1, {}});
    content.anchors = std::move(anchors);
    return content;
}

/// One edge between two anchors, and no nodes.
inline UnitContent edge_on(NodeSlot from, NodeSlot to) {
    return {{}, {{0, 1, 2, {}}}, {from, to}};
}

} // namespace sprig::modeller
