#include "network/bit_network.h"

namespace sprig {

void BitNetwork::assign(const Network& network, std::span<const NodeId> rank) {
    const auto index = [&](NodeId node) { return rank.empty() ? node : rank[node]; };
    nodes_ = network.node_count();
    words_ = (nodes_ + word_bits - 1) / word_bits;
    const std::size_t layers = network.schema().layers.size();
    out_.assign(layers * nodes_ * words_, 0);
    in_.assign(layers * nodes_ * words_, 0);
    types_.assign(network.schema().node_types.size() * words_, 0);
    for (NodeId n = 0; n < nodes_; ++n) set(types_, network.type(n), index(n));
    for (const Edge& e : network.edges()) {
        const NodeId from = index(e.from);
        const NodeId to = index(e.to);
        set(out_, (e.layer * nodes_) + from, to);
        set(in_, (e.layer * nodes_) + to, from);
    }
}

} // namespace sprig
