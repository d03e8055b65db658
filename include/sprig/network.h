#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sprig {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;

/// Stands for "no node" in the cyclic order.
inline constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

/// The vocabulary of a family of networks: how many coordinates a node has and what its types, layers
/// and attributes are called. Networks of one family share one schema.
struct Schema {
    int dimensions = 2;
    std::vector<std::string> node_types = {};
    std::vector<std::string> layers = {};
    std::vector<std::string> attributes = {}; ///< one number each per node
    /// What makes these networks, with its settings; may be empty. Networks that were made otherwise are of
    /// another family, though they may have the same names.
    std::string made_by = {};

    /// Throws Error(usage) if there are not 1 to 16 dimensions, a name is there twice, or an attribute has
    /// a name that the text form needs (type, at, next, previous).
    void check() const;

    bool operator==(const Schema&) const = default;
};

/// A directed relation between two nodes in one layer. It holds on the levels from `first_level` (0 is
/// the finest) to `last_level`, both included.
struct Edge {
    NodeId from = 0;
    NodeId to = 0;
    std::uint32_t layer = 0;
    std::uint32_t first_level = 0;
    std::uint32_t last_level = 0;

    bool operator==(const Edge&) const = default;
};

/// The one type the whole system speaks: typed nodes with coordinates and named attributes, an optional
/// cyclic order among them, and directed edges in named layers. It knows nothing of images. A value:
/// copies are independent, equal content compares equal. Nodes and edges are named by their index, which
/// must be that of one that is there, as with a vector.
class Network {
  public:
    /// Throws Error(usage) without a schema, or if it has no dimensions.
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
    /// Where the edge's head lies, seen from its tail.
    [[nodiscard]] std::span<const double> displacement(EdgeId edge) const {
        return row(displacements_, edge, dimensions_);
    }
    /// One more than the largest level of an edge; 0 without edges.
    [[nodiscard]] std::uint32_t level_count() const;

    // Building
    /// Forgets all nodes and edges and keeps the memory.
    void clear();
    NodeId add_node(std::uint32_t type, std::span<const double> position,
                    std::span<const double> attributes = {});
    /// Makes `second` follow `first` in the cyclic order.
    void link(NodeId first, NodeId second);
    /// Adds an edge whose displacement is what the positions say.
    EdgeId add_edge(const Edge& edge);
    /// Adds an edge whose displacement is given, as in a learned pattern.
    EdgeId add_edge(const Edge& edge, std::span<const double> displacement);
    /// Replaces all edges at once; their displacements are what the positions say.
    void set_edges(std::span<const Edge> edges);

    /// Throws Error(bad_input) if the content contradicts itself or the schema: an edge to a node that
    /// is not there, an unknown type or layer, a number that is not finite, an order that is not cyclic,
    /// the same edge twice.
    void check() const;

    bool operator==(const Network& other) const;

  private:
    static std::span<const double> row(const std::vector<double>& table, std::size_t index,
                                       std::size_t width) {
        return {table.data() + (index * width), width};
    }

    std::shared_ptr<const Schema> schema_;
    std::size_t dimensions_;      ///< of the schema, kept here for the hot accessors
    std::size_t attribute_count_; ///< likewise
    std::vector<std::uint32_t> types_;
    std::vector<double> positions_;
    std::vector<double> attributes_;
    std::vector<NodeId> next_;
    std::vector<NodeId> previous_;
    std::vector<Edge> edges_;
    std::vector<double> displacements_;
};

/// The part of a network that holds on one level: the edges of that level, over all nodes.
[[nodiscard]] Network at_level(const Network& network, std::uint32_t level);

/// A text that a person can read and a test can compare: one line per node and per edge. Throws Error(usage)
/// if the schema does not pass its check.
[[nodiscard]] std::string to_json(const Network& network);

/// Reads what `to_json` writes. Throws Error(bad_input) with the reason if the text is anything else.
[[nodiscard]] Network network_from_json(std::string_view text);

} // namespace sprig
