#pragma once

#include <memory>
#include <vector>

#include "sprig/network.h"

namespace sprig::test {

/// A schema unrelated to contours: corners in space.
inline const std::shared_ptr<const Schema>& chair_schema() {
    static const auto schema = std::make_shared<const Schema>(Schema{.dimensions = 3,
                                                                     .node_types = {"leg", "seat"},
                                                                     .layers = {"above", "left of"},
                                                                     .attributes = {"wear"}});
    return schema;
}

inline Network chair() {
    Network network(chair_schema());
    network.add_node(0, std::vector<double>{0, 0, 0}, std::vector<double>{0.25});
    network.add_node(1, std::vector<double>{4, 0, 2});
    network.add_node(0, std::vector<double>{2, 1, 0}, std::vector<double>{0.5});
    network.link(0, 1);
    network.link(1, 2);
    network.link(2, 0);
    network.add_edge({0, 1, 0, 0, 3});
    network.add_edge({2, 0, 1, 1, 2}, std::vector<double>{1, 1, 1});
    return network;
}

} // namespace sprig::test
