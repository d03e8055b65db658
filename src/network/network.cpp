#include "sprig/network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig {

namespace {

bool all_finite(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

void append(std::vector<double>& table, std::span<const double> row) {
    table.insert(table.end(), row.begin(), row.end());
}

/// Keys that the JSON form of a node uses for other things.
constexpr std::array<std::string_view, 4> reserved = {"type", "at", "next", "previous"};

void require_distinct(std::vector<std::string> names, const char* what) {
    std::ranges::sort(names);
    if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
        throw usage_error(fmt::format("two {} have the same name", what));
    }
}

constexpr int max_dimensions = 16;

/// The schema's dimensions, if valid. Names are not checked here: this runs for every network that is made.
std::size_t dimensions_of(const Schema* schema) {
    if (schema == nullptr) throw usage_error("a network needs a schema");
    if (schema->dimensions < 1 || schema->dimensions > max_dimensions) schema->check();
    return static_cast<std::size_t>(schema->dimensions);
}

} // namespace

void Schema::check() const {
    if (dimensions < 1 || dimensions > max_dimensions) {
        throw usage_error(
            fmt::format("a network has 1 to {} dimensions, not {}", max_dimensions, dimensions));
    }
    require_distinct(node_types, "node types");
    require_distinct(layers, "layers");
    require_distinct(attributes, "attributes");
    for (const std::string& name : attributes) {
        if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
            throw usage_error(fmt::format("an attribute cannot be named '{}'", name));
        }
    }
}

Network::Network(std::shared_ptr<const Schema> schema)
    : schema_(std::move(schema)), dimensions_(dimensions_of(schema_.get())),
      attribute_count_(schema_->attributes.size()) {}

std::uint32_t Network::level_count() const {
    std::uint32_t count = 0;
    for (const Edge& e : edges_) count = std::max(count, e.last_level + 1);
    return count;
}

void Network::clear() {
    types_.clear();
    positions_.clear();
    attributes_.clear();
    next_.clear();
    previous_.clear();
    edges_.clear();
    displacements_.clear();
}

NodeId Network::add_node(std::uint32_t type, std::span<const double> position,
                         std::span<const double> attributes) {
    if (position.size() != dimensions_ || (!attributes.empty() && attributes.size() != attribute_count_)) {
        throw usage_error(
            fmt::format("a node of this network has {} coordinates and {} attributes, not {} and {}",
                        dimensions_, attribute_count_, position.size(), attributes.size()));
    }
    const auto id = static_cast<NodeId>(types_.size());
    types_.push_back(type);
    append(positions_, position);
    append(attributes_, attributes);
    attributes_.resize(types_.size() * attribute_count_, 0.0);
    next_.push_back(no_node);
    previous_.push_back(no_node);
    return id;
}

void Network::assign_nodes(std::size_t count) {
    types_.resize(count);
    positions_.resize(count * dimensions_);
    attributes_.resize(count * attribute_count_);
    next_.resize(count);
    previous_.resize(count);
    edges_.clear();
    displacements_.clear();
}

void Network::link_cycle(NodeId begin, NodeId end) {
    for (NodeId n = begin; n < end; ++n) {
        next_[n] = n + 1;
        previous_[n] = n - 1;
    }
    next_[end - 1] = begin;
    previous_[begin] = end - 1;
}

EdgeId Network::add_edge(const Edge& edge) {
    const auto id = static_cast<EdgeId>(edges_.size());
    edges_.push_back(edge);
    for (std::size_t axis = 0; axis < dimensions_; ++axis) {
        displacements_.push_back(coordinate(edge.to, axis) - coordinate(edge.from, axis));
    }
    return id;
}

EdgeId Network::add_edge(const Edge& edge, std::span<const double> displacement) {
    if (displacement.size() != dimensions_) {
        throw usage_error(fmt::format("an edge of this network has a displacement of {} numbers, not {}",
                                      dimensions_, displacement.size()));
    }
    const auto id = static_cast<EdgeId>(edges_.size());
    edges_.push_back(edge);
    append(displacements_, displacement);
    return id;
}

void Network::set_edges(std::span<const Edge> edges) {
    edges_.assign(edges.data(), edges.data() + edges.size()); // by pointers: copied as one block
    displacements_.resize(edges.size() * dimensions_);
    const double* const positions = positions_.data();
    double* out = displacements_.data();
    const auto displace = [&](auto dimensions) {
        for (const Edge& e : edges) {
            const double* from = positions + (e.from * dimensions);
            const double* to = positions + (e.to * dimensions);
            for (std::size_t axis = 0; axis < dimensions; ++axis) *out++ = to[axis] - from[axis];
        }
    };
    // The usual number of dimensions is known to the compiler, which then needs no inner loop.
    dimensions_ == 2 ? displace(std::integral_constant<std::size_t, 2>{}) : displace(dimensions_);
}

void Network::check() const {
    const std::size_t nodes = node_count();
    for (NodeId n = 0; n < nodes; ++n) {
        if (types_[n] >= schema_->node_types.size()) {
            throw bad_input(fmt::format("node {} has type {}, but the schema has only {} types", n, types_[n],
                                        schema_->node_types.size()));
        }
        if ((next_[n] != no_node && (next_[n] >= nodes || previous_[next_[n]] != n)) ||
            (previous_[n] != no_node && (previous_[n] >= nodes || next_[previous_[n]] != n)) ||
            (next_[n] == no_node) != (previous_[n] == no_node)) {
            throw bad_input(fmt::format("the cyclic order is broken at node {}", n));
        }
    }
    if (!all_finite(positions_) || !all_finite(attributes_) || !all_finite(displacements_)) {
        throw bad_input("a position, an attribute or a displacement is not a finite number");
    }
    std::vector<std::array<std::uint32_t, 3>> seen;
    seen.reserve(edges_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const Edge& e = edges_[i];
        if (e.from >= nodes || e.to >= nodes || e.from == e.to) {
            throw bad_input(
                fmt::format("edge {} joins {} to {} in a network of {} nodes", i, e.from, e.to, nodes));
        }
        if (e.layer >= schema_->layers.size()) {
            throw bad_input(fmt::format("edge {} is in layer {}, but the schema has only {} layers", i,
                                        e.layer, schema_->layers.size()));
        }
        if (e.first_level > e.last_level) {
            throw bad_input(fmt::format("edge {} ends on level {} before it begins on level {}", i,
                                        e.last_level, e.first_level));
        }
        seen.push_back({e.layer, e.from, e.to});
    }
    std::ranges::sort(seen);
    if (const auto twice = std::adjacent_find(seen.begin(), seen.end()); twice != seen.end()) {
        throw bad_input(fmt::format("duplicate edge from {} to {} in layer {}", (*twice)[1], (*twice)[2],
                                    schema_->layers[(*twice)[0]]));
    }
}

bool Network::operator==(const Network& other) const {
    return (schema_ == other.schema_ || *schema_ == *other.schema_) && types_ == other.types_ &&
           positions_ == other.positions_ && attributes_ == other.attributes_ && next_ == other.next_ &&
           previous_ == other.previous_ && edges_ == other.edges_ && displacements_ == other.displacements_;
}

Network at_level(const Network& network, std::uint32_t level) {
    Network part(network.shared_schema());
    for (NodeId n = 0; n < network.node_count(); ++n) {
        part.add_node(network.type(n), network.position(n), network.attributes(n));
    }
    for (NodeId n = 0; n < network.node_count(); ++n) {
        if (network.next(n) != no_node) part.link(n, network.next(n));
    }
    for (EdgeId e = 0; e < network.edge_count(); ++e) {
        const Edge& edge = network.edge(e);
        if (edge.first_level <= level && level <= edge.last_level)
            part.add_edge(edge, network.displacement(e));
    }
    return part;
}

} // namespace sprig
