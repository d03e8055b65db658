#include "match/pattern.h"

#include <utility>

namespace sprig::match {

Pattern::Pattern(std::vector<Node> nodes, const std::vector<std::uint32_t>& anchors, std::vector<Edge> edges,
                 std::size_t types)
    : nodes_(std::move(nodes)), edges_(std::move(edges)), anchors_(anchors.size()) {
    index_links(anchors, types);
}

void Pattern::index_links(const std::vector<std::uint32_t>& anchors, std::size_t types) {
    const std::size_t own = nodes_.size();
    const auto type = [&](std::uint32_t end) { return end < own ? nodes_[end].type : anchors[end - own]; };
    auto index = std::make_shared<Index>();
    index->first_link.assign(own + 1, 0);
    index->signatures.assign(own, 0);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
        const Edge& edge = edges_[e];
        if (edge.from >= own && edge.to >= own) index->pinned_edges.push_back(e);
        if (edge.from < own) {
            ++index->first_link[edge.from + 1];
            index->signatures[edge.from] |= signature_bit(edge.layer, true, type(edge.to), types);
        }
        if (edge.to < own) {
            ++index->first_link[edge.to + 1];
            index->signatures[edge.to] |= signature_bit(edge.layer, false, type(edge.from), types);
        }
    }
    for (std::size_t i = 0; i < own; ++i) index->first_link[i + 1] += index->first_link[i];
    index->links.resize(index->first_link[own]);
    std::vector<std::uint32_t> next(index->first_link.begin(), index->first_link.end() - 1);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
        const Edge& edge = edges_[e];
        if (edge.from < own) index->links[next[edge.from]++] = {e, edge.to, edge.layer, true};
        if (edge.to < own) index->links[next[edge.to]++] = {e, edge.from, edge.layer, false};
    }
    index_ = std::move(index);
}

} // namespace sprig::match
