#include "store/packed.h"

#include <algorithm>
#include <unordered_set>

#include "learner/packing.h"
#include "sprig/error.h"

namespace sprig::store {

using learner::Packer;
using learner::Unpacker;

namespace {

constexpr std::size_t word = sizeof(std::uint64_t);

enum Form : std::uint8_t { gone = 0, whole = 1, difference = 2 };

[[noreturn]] void refuse() {
    throw bad_input("packed content is damaged");
}

void pack_event(Packer& packer, const UnitEvent& event) {
    packer.small(static_cast<std::uint8_t>(event.kind));
    packer.number(event.unit);
    packer.small(event.target ? 1 : 0);
    if (event.target) packer.number(*event.target);
}

UnitEvent unpack_event(Unpacker& unpacker) {
    UnitEvent event;
    event.kind = static_cast<UnitEvent::Kind>(
        unpacker.small_below(static_cast<std::size_t>(UnitEvent::Kind::dissolved) + 1));
    unpacker.number(event.unit);
    if (unpacker.small_below(2) == 1) unpacker.number(event.target.emplace());
    return event;
}

/// The words in which two texts of one length differ, each after how many words that are the same.
void pack_difference(Packer& packer, std::string_view from, std::string_view to) {
    std::size_t same = 0;
    for (std::size_t at = 0; at < to.size(); at += word) {
        if (from.substr(at, word) == to.substr(at, word)) {
            ++same;
            continue;
        }
        packer.small(same + 1);
        packer.raw(to.substr(at, word));
        same = 0;
    }
    packer.small(0);
}

std::string unpack_difference(Unpacker& unpacker, std::string text) {
    std::size_t at = 0;
    while (const std::uint64_t step = unpacker.small()) {
        if (step - 1 >= (text.size() / word) - at) refuse();
        at += static_cast<std::size_t>(step - 1);
        const std::string_view changed = unpacker.raw(word);
        std::copy(changed.begin(), changed.end(), text.begin() + static_cast<std::ptrdiff_t>(at * word));
        ++at;
    }
    return text;
}

/// A lesson changes some of a unit's numbers: where there is something to differ from, the rest is left out.
void pack_unit(Packer& packer, const UnitEntry& entry, const UnitEntry* before) {
    if (before == nullptr || before->label != entry.label || before->packed.size() != entry.packed.size()) {
        packer.small(whole);
        packer.small(entry.label);
        packer.text(entry.packed);
    } else {
        packer.small(difference);
        pack_difference(packer, before->packed, entry.packed);
    }
}

std::optional<UnitEntry> unpack_unit(Unpacker& unpacker, Lineage lineage, const Content& before) {
    switch (unpacker.small_below(difference + 1)) {
    case gone:
        return {};
    case whole: {
        const auto label = unpacker.small<ClassId>();
        return UnitEntry{label, unpacker.text()};
    }
    default:
        const auto known = before.units.find(lineage);
        if (known == before.units.end()) refuse();
        return UnitEntry{known->second.label, unpack_difference(unpacker, known->second.packed)};
    }
}

} // namespace

std::string pack(const Delta& delta, const UnitLookup& unit_before) {
    std::string bytes;
    Packer packer(bytes);
    packer.small(delta.lesson);
    packer.small(delta.steps);
    packer.small(delta.classes.size());
    for (const auto& [id, entry] : delta.classes) {
        packer.small(id);
        packer.small(entry ? whole : gone);
        if (!entry) continue;
        packer.text(entry->label);
        packer.text(entry->packed);
    }
    packer.small(delta.units.size());
    for (const auto& [lineage, entry] : delta.units) {
        packer.number(lineage);
        entry ? pack_unit(packer, *entry, unit_before(lineage)) : packer.small(gone);
    }
    packer.small(delta.events.size());
    for (const UnitEvent& event : delta.events) pack_event(packer, event);
    learner::append_checksum(bytes);
    return bytes;
}

Delta unpack_delta(std::string_view bytes, const Content& before) {
    Unpacker unpacker(learner::without_checksum(bytes));
    Delta delta;
    delta.lesson = unpacker.small();
    delta.steps = unpacker.small();
    for (std::size_t n = unpacker.small_count(); n > 0; --n) {
        auto& [id, entry] = delta.classes.emplace_back();
        id = unpacker.small<ClassId>();
        if (!learner::is_class_id(id))
            throw bad_input("packed content has a class with an id out of its range");
        if (unpacker.small_below(whole + 1) == gone) continue;
        entry.emplace();
        entry->label = unpacker.text();
        entry->packed = unpacker.text();
    }
    std::unordered_set<Lineage> different;
    for (std::size_t n = unpacker.small_count(); n > 0; --n) {
        auto& [lineage, entry] = delta.units.emplace_back();
        unpacker.number(lineage);
        entry = unpack_unit(unpacker, lineage, before);
        // Otherwise a few bytes could ask for one large unit any number of times.
        if (entry && !different.insert(lineage).second) refuse();
    }
    for (std::size_t n = unpacker.small_count(); n > 0; --n) delta.events.push_back(unpack_event(unpacker));
    unpacker.end();
    return delta;
}

namespace {

/// Whether an edge's displacement is what the positions say, as in every network of the front end.
bool is_between_its_nodes(const Network& network, EdgeId id) {
    const Edge& edge = network.edge(id);
    const std::span<const double> displacement = network.displacement(id);
    for (std::size_t axis = 0; axis < displacement.size(); ++axis) {
        if (displacement[axis] != network.coordinate(edge.to, axis) - network.coordinate(edge.from, axis))
            return false;
    }
    return true;
}

void pack_network(Packer& packer, const Network& network) {
    packer.small(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        packer.small(network.type(node));
        for (const double coordinate : network.position(node)) packer.number(coordinate);
        for (const double attribute : network.attributes(node)) packer.number(attribute);
        packer.small(network.next(node) == no_node ? 0 : network.next(node) + 1);
    }
    bool by_positions = true;
    for (EdgeId id = 0; id < network.edge_count() && by_positions; ++id)
        by_positions = is_between_its_nodes(network, id);
    packer.small(by_positions ? 1 : 0);
    packer.small(network.edge_count());
    for (EdgeId id = 0; id < network.edge_count(); ++id) {
        const Edge& edge = network.edge(id);
        for (const std::uint32_t part :
             {edge.from, edge.to, edge.layer, edge.first_level, edge.last_level - edge.first_level})
            packer.small(part);
        if (by_positions) continue;
        for (const double by : network.displacement(id)) packer.number(by);
    }
}

void unpack_nodes(Unpacker& unpacker, Network& network) {
    const Schema& schema = network.schema();
    std::vector<double> position(static_cast<std::size_t>(schema.dimensions));
    std::vector<double> attributes(schema.attributes.size());
    const std::size_t count = unpacker.room_for(unpacker.small(), 2 + (word * position.size()));
    std::vector<NodeId> next(count);
    for (std::size_t node = 0; node < count; ++node) {
        const std::size_t type = unpacker.small_below(schema.node_types.size());
        for (double& coordinate : position) unpacker.number(coordinate);
        for (double& attribute : attributes) unpacker.number(attribute);
        network.add_node(static_cast<std::uint32_t>(type), position, attributes);
        next[node] = static_cast<NodeId>(unpacker.small_below(count + 1));
    }
    for (NodeId node = 0; node < count; ++node) {
        if (next[node] > 0) network.link(node, next[node] - 1);
    }
}

void unpack_edges(Unpacker& unpacker, Network& network) {
    const bool by_positions = unpacker.small_below(2) == 1;
    std::vector<double> displacement(static_cast<std::size_t>(network.schema().dimensions));
    for (std::size_t n = unpacker.room_for(unpacker.small(), 5); n > 0; --n) {
        Edge edge;
        edge.from = static_cast<NodeId>(unpacker.small_below(network.node_count()));
        edge.to = static_cast<NodeId>(unpacker.small_below(network.node_count()));
        edge.layer = static_cast<std::uint32_t>(unpacker.small_below(network.schema().layers.size()));
        edge.first_level = unpacker.small<std::uint32_t>();
        const auto levels = unpacker.small<std::uint32_t>();
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

std::string pack_lesson(const Network& network, std::string_view label, std::uint64_t sum) {
    std::string bytes;
    Packer packer(bytes);
    packer.text(label);
    packer.number(sum);
    pack_network(packer, network);
    learner::append_checksum(bytes);
    return bytes;
}

LoggedLesson unpack_lesson(std::string_view bytes, const std::shared_ptr<const Schema>& schema) {
    Unpacker unpacker(learner::without_checksum(bytes));
    LoggedLesson lesson{unpacker.text(), Network(schema), 0};
    unpacker.number(lesson.sum);
    unpack_nodes(unpacker, lesson.network);
    unpack_edges(unpacker, lesson.network);
    unpacker.end();
    lesson.network.check();
    return lesson;
}

} // namespace sprig::store
