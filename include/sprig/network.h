#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sprig {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;

/// Means "no node" in the cyclic order.
inline constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

/// Describes a family of networks: the number of coordinates of a node and the names of node types, layers
/// and attributes. All networks of a family share one schema.
struct Schema {
    int dimensions = 2;
    std::vector<std::string> node_types = {};
    std::vector<std::string> layers = {};
    std::vector<std::string> attributes = {}; ///< one number per node each
    /// The producer of the networks and its settings; may be empty. Networks of different producers belong to
    /// different families, even if all names are equal.
    std::string made_by = {};

    /// Throws Error(usage) if the number of dimensions is not from 1 to 16, a name is not unique, or an
    /// attribute has a name that the JSON form reserves (type, at, next, previous).
    void check() const;

    bool operator==(const Schema&) const = default;
};

/// A directed relation between two nodes in one layer. It exists on the levels from `first_level` to
/// `last_level`, inclusive; 0 is the finest.
struct Edge {
    NodeId from = 0;
    NodeId to = 0;
    std::uint32_t layer = 0;
    std::uint32_t first_level = 0;
    std::uint32_t last_level = 0;

    bool operator==(const Edge&) const = default;
};

/// The data structure that all modules share: typed nodes with coordinates and named attributes, an optional
/// cyclic order of the nodes, and directed edges in named layers. It does not depend on images. It is a value
/// type: copies are independent and are compared by content. Nodes and edges are addressed by index; as with
/// std::vector, an index must be valid.
class Network {
  public:
    /// Throws Error(usage) if there is no schema or its number of dimensions is out of range.
    explicit Network(std::shared_ptr<const Schema> schema);

    [[nodiscard]] const Schema& schema() const { return *schema_; }
    [[nodiscard]] const std::shared_ptr<const Schema>& shared_schema() const { return schema_; }

    // Nodes
    [[nodiscard]] std::size_t node_count() const { return types_.size(); }
    [[nodiscard]] std::uint32_t type(NodeId node) const { return types_[node]; }
    [[nodiscard]] std::span<const double> position(NodeId node) const {
        return row(positions_, node, dimensions_);
    }
    [[nodiscard]] double coordinate(NodeId node, std::size_t axis) const {
        return positions_[(node * dimensions_) + axis];
    }
    [[nodiscard]] std::span<const double> attributes(NodeId node) const {
        return row(attributes_, node, attribute_count_);
    }
    [[nodiscard]] double attribute(NodeId node, std::size_t which) const {
        return attributes_[(node * attribute_count_) + which];
    }
    /// The neighbours in the cyclic order, or `no_node`.
    [[nodiscard]] NodeId next(NodeId node) const { return next_[node]; }
    [[nodiscard]] NodeId previous(NodeId node) const { return previous_[node]; }

    // Edges
    [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
    [[nodiscard]] const Edge& edge(EdgeId edge) const { return edges_[edge]; }
    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
    /// The position of the edge's head relative to its tail.
    [[nodiscard]] std::span<const double> displacement(EdgeId edge) const {
        return row(displacements_, edge, dimensions_);
    }
    /// The number of levels: one more than the largest level of an edge, or 0 if there are no edges.
    [[nodiscard]] std::uint32_t level_count() const;

    // Building
    /// Removes all nodes and edges and keeps the allocated memory.
    void clear();
    NodeId add_node(std::uint32_t type, std::span<const double> position,
                    std::span<const double> attributes = {});
    /// Makes a network of `count` nodes without edges. Their content is unspecified until `set_node`, and
    /// their order until `link` or `link_cycle`.
    void assign_nodes(std::size_t count);
    /// Sets a node and leaves its place in the cyclic order. The number of coordinates and attributes must be
    /// the schema's; it is not checked.
    template <std::size_t dimensions, std::size_t attribute_count>
    void set_node(NodeId node, std::uint32_t type, const std::array<double, dimensions>& position,
                  const std::array<double, attribute_count>& attributes) {
        types_[node] = type;
        store(position, positions_.data() + (node * dimensions));
        store(attributes, attributes_.data() + (node * attribute_count));
    }
    /// Makes `second` follow `first` in the cyclic order.
    void link(NodeId first, NodeId second) {
        next_[first] = second;
        previous_[second] = first;
    }
    /// Makes the nodes from `begin` to `end`, exclusive, a cycle in the order of their numbers. There must be
    /// at least one.
    void link_cycle(NodeId begin, NodeId end);
    /// Adds an edge; its displacement is computed from the positions.
    EdgeId add_edge(const Edge& edge);
    /// Adds an edge with the given displacement, as in a learned pattern.
    EdgeId add_edge(const Edge& edge, std::span<const double> displacement);
    /// Replaces all edges; their displacements are computed from the positions.
    void set_edges(std::span<const Edge> edges);

    /// Throws Error(bad_input) if the content is inconsistent or does not match the schema: an edge to a node
    /// that does not exist, an unknown type or layer, a number that is not finite, an order that is not
    /// cyclic, or a duplicate edge.
    void check() const;

    bool operator==(const Network& other) const;

  private:
    /// Each number by itself, because g++ makes a copy in memory for an array as a whole.
    template <std::size_t count>
    static void store(const std::array<double, count>& numbers, double* to) {
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            ((to[i] = numbers[i]), ...);
        }
        (std::make_index_sequence<count>());
    }
    static std::span<const double> row(const std::vector<double>& table, std::size_t index,
                                       std::size_t width) {
        return {table.data() + (index * width), width};
    }

    std::shared_ptr<const Schema> schema_;
    std::size_t dimensions_;      ///< copied from the schema for the hot accessors
    std::size_t attribute_count_; ///< likewise
    std::vector<std::uint32_t> types_;
    std::vector<double> positions_;
    std::vector<double> attributes_;
    std::vector<NodeId> next_;
    std::vector<NodeId> previous_;
    std::vector<Edge> edges_;
    std::vector<double> displacements_;
};

/// One level of a network: all nodes, and the edges of that level.
[[nodiscard]] Network at_level(const Network& network, std::uint32_t level);

/// Readable JSON with one line per node and per edge. Throws Error(usage) if the schema is invalid.
[[nodiscard]] std::string to_json(const Network& network);

/// Reads the output of `to_json`. Throws Error(bad_input) with the reason if the text is invalid.
[[nodiscard]] Network network_from_json(std::string_view text);

} // namespace sprig
