#include "match/pattern.h"

#include <utility>

namespace sprig::match {

Pattern::Pattern(std::vector<Node> nodes, std::vector<std::uint32_t> anchors, std::vector<Edge> edges,
                 std::size_t types)
    : nodes_(std::move(nodes)), edges_(std::move(edges)), anchors_(anchors.size()) {
    index_links(anchors, types);
}

void Pattern::index_links(const std::vector<std::uint32_t>& anchors, std::size_t types) {
    const std::size_t own = nodes_.size();
    const auto type = [&](std::uint32_t end) { return end < own ? nodes_[end].type : anchors[end - own]; };
    first_link_.assign(own + 1, 0);
    signatures_.assign(own, 0);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
        const Edge& edge = edges_[e];
        if (edge.from >= own && edge.to >= own) pinned_edges_.push_back(e);
        if (edge.from < own) {
            ++first_link_[edge.from + 1];
            signatures_[edge.from] |= signature_bit(edge.layer, true, type(edge.to), types);
        }
        if (edge.to < own) {
            ++first_link_[edge.to + 1];
            signatures_[edge.to] |= signature_bit(edge.layer, false, type(edge.from), types);
        }
    }
    for (std::size_t i = 0; i < own; ++i) first_link_[i + 1] += first_link_[i];
    links_.resize(first_link_[own]);
    std::vector<std::uint32_t> next(first_link_.begin(), first_link_.end() - 1);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
        const Edge& edge = edges_[e];
        if (edge.from < own) links_[next[edge.from]++] = {e, edge.to, edge.layer, true};
        if (edge.to < own) links_[next[edge.to]++] = {e, edge.from, edge.layer, false};
    }
}

} // namespace sprig::match
