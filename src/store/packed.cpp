#include "store/packed.h"

#include <algorithm>
#include <unordered_set>

#include "learner/packing.h"
#include "sprig/error.h"

namespace sprig::store {

using learner::Packer;
using learner::Unpacker;

namespace {

constexpr std::size_t word_size = sizeof(std::uint64_t);

enum Form : std::uint8_t { removed = 0, whole = 1, difference = 2 };

[[noreturn]] void refuse() {
    throw bad_input("packed content is damaged");
}

void pack_event(Packer& packer, const UnitEvent& event) {
    packer.varint(static_cast<std::uint8_t>(event.kind));
    packer.number(event.unit);
    packer.varint(event.target ? 1 : 0);
    if (event.target) packer.number(*event.target);
}

UnitEvent unpack_event(Unpacker& unpacker) {
    UnitEvent event;
    event.kind = static_cast<UnitEvent::Kind>(
        unpacker.varint_below(static_cast<std::size_t>(UnitEvent::Kind::dissolved) + 1));
    unpacker.number(event.unit);
    if (unpacker.varint_below(2) == 1) unpacker.number(event.target.emplace());
    return event;
}

/// Packs the words of `to` that differ from `from`, each after the number of equal words before it, plus 1.
void pack_difference(Packer& packer, std::string_view from, std::string_view to) {
    std::size_t same = 0;
    for (std::size_t at = 0; at < to.size(); at += word_size) {
        if (from.substr(at, word_size) == to.substr(at, word_size)) {
            ++same;
            continue;
        }
        packer.varint(same + 1);
        packer.raw(to.substr(at, word_size));
        same = 0;
    }
    packer.varint(0);
}

std::string unpack_difference(Unpacker& unpacker, std::string text) {
    std::size_t at = 0;
    while (const std::uint64_t step = unpacker.varint()) {
        if (step - 1 >= (text.size() / word_size) - at) refuse();
        at += static_cast<std::size_t>(step - 1);
        const std::string_view changed = unpacker.raw(word_size);
        std::copy(changed.begin(), changed.end(), text.begin() + static_cast<std::ptrdiff_t>(at * word_size));
        ++at;
    }
    return text;
}

/// A lesson changes few of a unit's numbers: only these are packed if there is a unit of equal size before.
void pack_unit(Packer& packer, const UnitEntry& entry, const std::optional<UnitEntry>& before) {
    if (!before || before->label != entry.label || before->packed.size() != entry.packed.size()) {
        packer.varint(whole);
        packer.varint(entry.label);
        packer.text(entry.packed);
    } else {
        packer.varint(difference);
        pack_difference(packer, before->packed, entry.packed);
    }
}

std::optional<UnitEntry> unpack_unit(Unpacker& unpacker, Lineage lineage, const UnitLookup& unit_before) {
    switch (unpacker.varint_below(difference + 1)) {
    case removed:
        return {};
    case whole: {
        const auto label = unpacker.varint<ClassId>();
        return UnitEntry{label, unpacker.text()};
    }
    default:
        std::optional<UnitEntry> known = unit_before(lineage);
        if (!known) refuse();
        known->packed = unpack_difference(unpacker, std::move(known->packed));
        return known;
    }
}

} // namespace

std::string pack(const Delta& delta, const UnitLookup& unit_before) {
    std::string bytes;
    Packer packer(bytes);
    packer.varint(delta.lesson);
    packer.varint(delta.steps);
    packer.varint(delta.classes.size());
    for (const auto& [id, entry] : delta.classes) {
        packer.varint(id);
        packer.varint(entry ? whole : removed);
        if (!entry) continue;
        packer.text(entry->label);
        packer.text(entry->packed);
    }
    packer.varint(delta.units.size());
    for (const auto& [lineage, entry] : delta.units) {
        packer.number(lineage);
        entry ? pack_unit(packer, *entry, unit_before(lineage)) : packer.varint(removed);
    }
    packer.varint(delta.events.size());
    for (const UnitEvent& event : delta.events) pack_event(packer, event);
    learner::append_checksum(bytes);
    return bytes;
}

Delta unpack_delta(std::string_view bytes, const UnitLookup& unit_before) {
    Unpacker unpacker(learner::strip_checksum(bytes));
    Delta delta;
    delta.lesson = unpacker.varint();
    delta.steps = unpacker.varint();
    for (std::size_t n = unpacker.varint_count(); n > 0; --n) {
        auto& [id, entry] = delta.classes.emplace_back();
        id = unpacker.varint<ClassId>();
        if (!learner::is_class_id(id)) throw bad_input("packed content has a class id out of range");
        if (unpacker.varint_below(whole + 1) == removed) continue;
        entry.emplace();
        entry->label = unpacker.text();
        entry->packed = unpacker.text();
    }
    std::unordered_set<Lineage> seen;
    for (std::size_t n = unpacker.varint_count(); n > 0; --n) {
        auto& [lineage, entry] = delta.units.emplace_back();
        unpacker.number(lineage);
        entry = unpack_unit(unpacker, lineage, unit_before);
        // Duplicates would let a few bytes create any number of copies of a large unit.
        if (entry && !seen.insert(lineage).second) refuse();
    }
    for (std::size_t n = unpacker.varint_count(); n > 0; --n) delta.events.push_back(unpack_event(unpacker));
    unpacker.end();
    return delta;
}

namespace {

/// Whether an edge's displacement is the difference of its nodes' positions, as in networks of the front end.
bool matches_positions(const Network& network, EdgeId id) {
    const Edge& edge = network.edge(id);
    const std::span<const double> displacement = network.displacement(id);
    for (std::size_t axis = 0; axis < displacement.size(); ++axis) {
        if (displacement[axis] != network.coordinate(edge.to, axis) - network.coordinate(edge.from, axis))
            return false;
    }
    return true;
}

void pack_network(Packer& packer, const Network& network) {
    packer.varint(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        packer.varint(network.type(node));
        for (const double coordinate : network.position(node)) packer.number(coordinate);
        for (const double attribute : network.attributes(node)) packer.number(attribute);
        packer.varint(network.next(node) == no_node ? 0 : network.next(node) + 1);
    }
    bool by_positions = true;
    for (EdgeId id = 0; id < network.edge_count() && by_positions; ++id)
        by_positions = matches_positions(network, id);
    packer.varint(by_positions ? 1 : 0);
    packer.varint(network.edge_count());
    for (EdgeId id = 0; id < network.edge_count(); ++id) {
        const Edge& edge = network.edge(id);
        for (const std::uint32_t part :
             {edge.from, edge.to, edge.layer, edge.first_level, edge.last_level - edge.first_level})
            packer.varint(part);
        if (by_positions) continue;
        for (const double by : network.displacement(id)) packer.number(by);
    }
}

void unpack_nodes(Unpacker& unpacker, Network& network) {
    const Schema& schema = network.schema();
    std::vector<double> position(static_cast<std::size_t>(schema.dimensions));
    std::vector<double> attributes(schema.attributes.size());
    const std::size_t count = unpacker.checked_count(unpacker.varint(), 2 + (word_size * position.size()));
    std::vector<NodeId> next(count);
    for (std::size_t node = 0; node < count; ++node) {
        const std::size_t type = unpacker.varint_below(schema.node_types.size());
        for (double& coordinate : position) unpacker.number(coordinate);
        for (double& attribute : attributes) unpacker.number(attribute);
        network.add_node(static_cast<std::uint32_t>(type), position, attributes);
        next[node] = static_cast<NodeId>(unpacker.varint_below(count + 1));
    }
    for (NodeId node = 0; node < count; ++node) {
        if (next[node] > 0) network.link(node, next[node] - 1);
    }
}

void unpack_edges(Unpacker& unpacker, Network& network) {
    const bool by_positions = unpacker.varint_below(2) == 1;
    std::vector<double> displacement(static_cast<std::size_t>(network.schema().dimensions));
    for (std::size_t n = unpacker.checked_count(unpacker.varint(), 5); n > 0; --n) {
        Edge edge;
        edge.from = static_cast<NodeId>(unpacker.varint_below(network.node_count()));
        edge.to = static_cast<NodeId>(unpacker.varint_below(network.node_count()));
        edge.layer = static_cast<std::uint32_t>(unpacker.varint_below(network.schema().layers.size()));
        edge.first_level = unpacker.varint<std::uint32_t>();
        const auto levels = unpacker.varint<std::uint32_t>();
        if (levels > ~edge.first_level) refuse();
        edge.last_level = edge.first_level + levels;
        if (by_positions) {
            network.add_edge(edge);
        } else {
            for (double& by : displacement) unpacker.number(by);
            network.add_edge(edge, displacement);
        }
    }
}

} // namespace

std::string pack_lesson(const Network& network, std::string_view label, std::uint64_t digest) {
    std::string bytes;
    Packer packer(bytes);
    packer.text(label);
    packer.number(digest);
    pack_network(packer, network);
    learner::append_checksum(bytes);
    return bytes;
}

LoggedLesson unpack_lesson(std::string_view bytes, const std::shared_ptr<const Schema>& schema) {
    Unpacker unpacker(learner::strip_checksum(bytes));
    LoggedLesson lesson{unpacker.text(), Network(schema), 0};
    unpacker.number(lesson.digest);
    unpack_nodes(unpacker, lesson.network);
    unpack_edges(unpacker, lesson.network);
    unpacker.end();
    lesson.network.check();
    return lesson;
}

} // namespace sprig::store
