#include "match/observation.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::match {

namespace {

Point point_of(std::span<const double> coordinates) {
    Point point = {};
    std::copy(coordinates.begin(), coordinates.end(), point.at.begin());
    return point;
}

} // namespace

void Observation::assign(const Network& network) {
    const std::size_t n = network.node_count();
    if (n > max_nodes) {
        throw bad_input(fmt::format("the network has {} nodes, but at most {} can be matched: use a "
                                    "coarser front end",
                                    n, max_nodes));
    }
    if (network.schema().dimensions > static_cast<int>(max_dimensions)) {
        throw bad_input(fmt::format("the network's nodes have {} coordinates, but at most {} can be "
                                    "matched",
                                    network.schema().dimensions, max_dimensions));
    }
    original_.resize(n);
    std::iota(original_.begin(), original_.end(), NodeId{0});
    std::sort(original_.begin(), original_.end(), [&](NodeId a, NodeId b) {
        const auto pa = network.position(a);
        const auto pb = network.position(b);
        if (!std::equal(pa.begin(), pa.end(), pb.begin())) {
            return std::lexicographical_compare(pa.begin(), pa.end(), pb.begin(), pb.end());
        }
        return network.type(a) != network.type(b) ? network.type(a) < network.type(b) : a < b;
    });
    rank_.resize(n);
    types_.resize(n);
    positions_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        rank_[original_[i]] = i;
        types_[i] = network.type(original_[i]);
        positions_[i] = point_of(network.position(original_[i]));
    }
    signatures_.assign(n, 0);
    edges_.clear();
    edges_are_sorted_ = false;
    const std::size_t types = network.schema().node_types.size();
    for (const sprig::Edge& edge : network.edges()) {
        const std::uint32_t from = rank_[edge.from];
        const std::uint32_t to = rank_[edge.to];
        edges_.push_back({edge.layer, from, to});
        signatures_[from] |= signature_bit(edge.layer, true, types_[to], types);
        signatures_[to] |= signature_bit(edge.layer, false, types_[from], types);
    }
    bits_.assign(network, rank_);
}

const std::vector<Observation::Edge>& Observation::sorted_edges() const {
    if (!edges_are_sorted_) std::sort(edges_.begin(), edges_.end());
    edges_are_sorted_ = true;
    return edges_;
}

} // namespace sprig::match
