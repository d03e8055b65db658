#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "match/observation.h"

namespace sprig::match {

/// Stands for "not placed".
inline constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// What is looked for: own nodes, to be placed, and anchors, which are pinned to where somebody else placed
/// them. Edges run between any of them; each is the pattern's own. Ends are numbered with the own nodes
/// first, then the anchors.
class Pattern {
  public:
    struct Node {
        std::uint32_t type = 0;
        Point position;
    };
    struct Edge {
        std::uint32_t layer = 0;
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        Point displacement;
    };
    /// An edge as seen from one of its own nodes.
    struct Link {
        std::uint32_t edge = 0;
        std::uint32_t other = 0; ///< the far end
        std::uint32_t layer = 0;
        bool outgoing = true;
    };

    Pattern() : index_(std::make_shared<const Index>()) {}
    /// `anchors`: the types of the pinned nodes; `types`: how many node types there are.
    Pattern(std::vector<Node> nodes, const std::vector<std::uint32_t>& anchors, std::vector<Edge> edges,
            std::size_t types);

    [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
    [[nodiscard]] std::size_t anchor_count() const { return anchors_; }
    [[nodiscard]] const Node& node(std::size_t index) const { return nodes_[index]; }
    [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
    [[nodiscard]] Signature signature(std::size_t node) const { return index_->signatures[node]; }
    [[nodiscard]] std::span<const Link> links(std::size_t node) const {
        const Link* links = index_->links.data();
        return {links + index_->first_link[node], links + index_->first_link[node + 1]};
    }
    /// Edges between two anchors: nothing is placed for them, but they must be there.
    [[nodiscard]] std::span<const std::uint32_t> pinned_edges() const { return index_->pinned_edges; }

    /// Running means move; the structure does not.
    void set_position(std::size_t node, const Point& position) { nodes_[node].position = position; }
    void set_displacement(std::size_t edge, const Point& displacement) {
        edges_[edge].displacement = displacement;
    }

  private:
    /// What follows from the structure alone. It never changes, so that copies of a pattern share it.
    struct Index {
        std::vector<Signature> signatures;
        std::vector<std::uint32_t> first_link = {0};
        std::vector<Link> links;
        std::vector<std::uint32_t> pinned_edges;
    };
    void index_links(const std::vector<std::uint32_t>& anchors, std::size_t types);

    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::size_t anchors_ = 0;
    std::shared_ptr<const Index> index_;
};

/// Where a pattern is looked for.
struct Query {
    const Pattern& pattern;
    const Observation& observation;
    /// Where the anchors lie, one observed node each.
    std::span<const std::uint32_t> pins = {};
    /// The observed nodes that are taken, as words of bits; empty: none.
    std::span<const std::uint64_t> used = {};
    /// No displacement (and no position of a node without edges) may be further off than this, px.
    double max_error = std::numeric_limits<double>::infinity();
};

/// Where the end of an edge lies: an anchor's pin or what `placed` says of an own node.
[[nodiscard]] inline std::uint32_t image_of(const Query& query, std::span<const std::uint32_t> placed,
                                            std::uint32_t end) {
    const std::size_t own = query.pattern.node_count();
    return end < own ? placed[end] : query.pins[end - own];
}

/// How far (squared) the observed displacement between two nodes is from what an edge expects.
[[nodiscard]] inline double squared_error(const Observation& observation, const Pattern::Edge& edge,
                                          std::uint32_t from, std::uint32_t to) {
    return (observation.position(to) - observation.position(from) - edge.displacement).squared_length();
}

} // namespace sprig::match
