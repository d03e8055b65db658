#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_object.h"
#include "sprig/error.h"
#include "sprig/network.h"

// The JSON form. Nodes and edges name their types, layers and attributes, so that every line is readable by
// itself:
//
//   {"schema": {"dimensions": 2, "types": [...], "layers": [...], "attributes": [...], "made_by": "..."},
//    "nodes": [
//      {"type": "x-max-convex", "at": [9, 4.5], "persistence": 6, ..., "next": 1, "previous": 3},
//      ...],
//    "edges": [
//      {"layer": "contour_h", "from": 0, "to": 1, "by": [3, -2], "levels": [0, 2]},
//      ...]}

namespace sprig {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t max_level = 1U << 30;

Json node_json(const Network& network, NodeId n) {
    const Schema& schema = network.schema();
    Json json;
    json["type"] = schema.node_types[network.type(n)];
    json["at"] = network.position(n);
    for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
        json[schema.attributes[a]] = network.attribute(n, a);
    }
    if (network.next(n) != no_node) json["next"] = network.next(n);
    if (network.previous(n) != no_node) json["previous"] = network.previous(n);
    return json;
}

Json edge_json(const Network& network, EdgeId e) {
    const Edge& edge = network.edge(e);
    return json_object({{"layer", network.schema().layers[edge.layer]},
                        {"from", edge.from},
                        {"to", edge.to},
                        {"by", network.displacement(e)},
                        {"levels", std::array{edge.first_level, edge.last_level}}});
}

Json schema_json(const Schema& schema) {
    Json json = json_object({{"dimensions", schema.dimensions},
                             {"types", schema.node_types},
                             {"layers", schema.layers},
                             {"attributes", schema.attributes}});
    if (!schema.made_by.empty()) json["made_by"] = schema.made_by;
    return json;
}

std::uint32_t read_index(const Json& json, std::size_t limit, const char* what) {
    // get() would silently convert -1 or 1.5.
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= limit) {
        throw bad_input(
            fmt::format("{} is {}, which is not a whole number below {}", what, json.dump(), limit));
    }
    return json.get<std::uint32_t>();
}

std::shared_ptr<const Schema> read_schema(const Json& json) {
    auto schema = std::make_shared<Schema>();
    constexpr std::size_t limit = 1000; // Schema::check has the actual limit
    schema->dimensions =
        static_cast<int>(read_index(json.at("dimensions"), limit, "the number of dimensions"));
    schema->node_types = json.at("types").get<std::vector<std::string>>();
    schema->layers = json.at("layers").get<std::vector<std::string>>();
    schema->attributes = json.at("attributes").get<std::vector<std::string>>();
    if (json.contains("made_by")) schema->made_by = json.at("made_by").get<std::string>();
    schema->check();
    return schema;
}

std::uint32_t index_of(const std::vector<std::string>& names, const std::string& name, const char* what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw bad_input(fmt::format("the schema has no {} '{}'", what, name));
    return static_cast<std::uint32_t>(found - names.begin());
}

void read_node(const Json& json, Network& network) {
    const Schema& schema = network.schema();
    std::vector<double> attributes;
    for (const std::string& name : schema.attributes) attributes.push_back(json.at(name).get<double>());
    const auto at = json.at("at").get<std::vector<double>>();
    if (at.size() != static_cast<std::size_t>(schema.dimensions)) {
        throw bad_input(fmt::format("a node has {} coordinates, not {}", at.size(), schema.dimensions));
    }
    network.add_node(index_of(schema.node_types, json.at("type").get<std::string>(), "node type"), at,
                     attributes);
}

void read_order(const Json& nodes, Network& network) {
    for (NodeId n = 0; n < nodes.size(); ++n) {
        if (nodes[n].contains("next"))
            network.link(n, read_index(nodes[n]["next"], nodes.size(), "a next node"));
    }
    for (NodeId n = 0; n < nodes.size(); ++n) {
        const NodeId previous = nodes[n].contains("previous")
                                    ? read_index(nodes[n]["previous"], nodes.size(), "a previous node")
                                    : no_node;
        if (previous != network.previous(n)) {
            throw bad_input(fmt::format("next and previous do not agree at node {}", n));
        }
    }
}

void read_edge(const Json& json, Network& network) {
    const auto by = json.at("by").get<std::vector<double>>();
    const Json& levels = json.at("levels");
    if (by.size() != static_cast<std::size_t>(network.schema().dimensions) || levels.size() != 2) {
        throw bad_input("an edge has a displacement of the wrong length or not two levels");
    }
    const Edge edge{read_index(json.at("from"), network.node_count(), "an edge's from"),
                    read_index(json.at("to"), network.node_count(), "an edge's to"),
                    index_of(network.schema().layers, json.at("layer").get<std::string>(), "layer"),
                    read_index(levels.at(0), max_level, "an edge's first level"),
                    read_index(levels.at(1), max_level, "an edge's last level")};
    network.add_edge(edge, by);
}

/// On one line; invalid UTF-8 in names is replaced, because JSON must be UTF-8.
std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Line>
void write_lines(std::string& text, std::size_t count, Line line) {
    for (std::size_t i = 0; i < count; ++i) {
        text += fmt::format("{}\n    {}", i == 0 ? "" : ",", text_of(line(i)));
    }
}

} // namespace

std::string to_json(const Network& network) {
    network.schema().check();
    std::string text =
        fmt::format("{{\n  \"schema\": {},\n  \"nodes\": [", text_of(schema_json(network.schema())));
    write_lines(text, network.node_count(),
                [&](std::size_t n) { return node_json(network, static_cast<NodeId>(n)); });
    text += "\n  ],\n  \"edges\": [";
    write_lines(text, network.edge_count(),
                [&](std::size_t e) { return edge_json(network, static_cast<EdgeId>(e)); });
    return text + "\n  ]\n}\n";
}

Network network_from_json(std::string_view text) {
    try {
        const Json json = Json::parse(text);
        Network network(read_schema(json.at("schema")));
        for (const Json& node : json.at("nodes")) read_node(node, network);
        read_order(json.at("nodes"), network);
        for (const Json& edge : json.at("edges")) read_edge(edge, network);
        network.check();
        return network;
    } catch (const Error& error) {
        throw bad_input(fmt::format("not a network: {}", error.what()));
    } catch (const Json::exception& error) {
        throw bad_input(fmt::format("not a network in JSON: {}", error.what()));
    }
}

} // namespace sprig
