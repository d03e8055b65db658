#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "match/observation.h"

namespace sprig::match {

/// Marks a pattern node that is not placed.
inline constexpr std::uint32_t unassigned = std::numeric_limits<std::uint32_t>::max();

/// A pattern to search for. It has own nodes, which the search places, and anchors, which are nodes of other
/// patterns and pinned to where they are already placed. Edges connect any of them and belong to the pattern.
/// The ends of edges are numbered: own nodes first, then anchors.
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
    /// An edge as seen from one own node.
    struct Link {
        std::uint32_t edge = 0;
        std::uint32_t other = 0; ///< the far end
        std::uint32_t layer = 0;
        bool outgoing = true;
    };

    Pattern() : index_(std::make_shared<const Index>()) {}
    /// `anchors`: the types of the anchors; `types`: the number of node types.
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
    /// Edges between two anchors: they must be present, but nothing is placed for them.
    [[nodiscard]] std::span<const std::uint32_t> pinned_edges() const { return index_->pinned_edges; }

    // Running means change; the structure does not.
    void set_position(std::size_t node, const Point& position) { nodes_[node].position = position; }
    void set_displacement(std::size_t edge, const Point& displacement) {
        edges_[edge].displacement = displacement;
    }

  private:
    /// Data derived from the structure. Immutable, so that copies of a pattern share it.
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

/// The input of a search.
struct Query {
    const Pattern& pattern;
    const Observation& observation;
    /// The observed node of each anchor.
    std::span<const std::uint32_t> pins = {};
    /// The observed nodes in use, as a bit set; empty: none.
    std::span<const std::uint64_t> used = {};
    /// Maximum error of a displacement, or of the position of a node without edges, in pixels.
    double max_error = std::numeric_limits<double>::infinity();
};

/// The observed node of an end of an edge: the pin of an anchor, or the placement of an own node.
[[nodiscard]] inline std::uint32_t image_of(const Query& query, std::span<const std::uint32_t> placed,
                                            std::uint32_t end) {
    const std::size_t own = query.pattern.node_count();
    return end < own ? placed[end] : query.pins[end - own];
}

/// The squared difference between an observed displacement and that of an edge of the pattern.
[[nodiscard]] inline double squared_error(const Observation& observation, const Pattern::Edge& edge,
                                          std::uint32_t from, std::uint32_t to) {
    return (observation.position(to) - observation.position(from) - edge.displacement).squared_length();
}

} // namespace sprig::match
