#include "store/tables.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "random/keyed.h"
#include "sprig/error.h"
#include "sprig/version.h"
#include "store/schema.h"

namespace sprig::store {

namespace {

struct EventName {
    std::string_view name;
    std::string_view meaning;
};
/// In the order of UnitEvent::Kind.
constexpr std::array<EventName, event_kinds> event_names = {{
    {"created", "nothing that was known explained the sample: made from what was seen"},
    {"refined", "took in a sample, or gave up what the sample lacked"},
    {"spawned", "carries what its target gave up"},
    {"removed", "was almost never there, or nothing joined it, or its target went"},
    {"reintegrated", "was almost always there: became part of its target"},
    {"dissolved", "had nothing left to ask for"},
}};

/// All that the head says and the learner's digest, in one number: who changes one has to change the other.
std::string seal_of(const Head& head, std::uint64_t digest) {
    std::uint64_t sum = random::mix({head.method, head.seed, head.steps, head.lessons, digest});
    for (const std::string* text : {&head.learner, &head.preset, &head.parameters, &head.front_end})
        sum = random::mix(sum, random::mix(*text));
    return fmt::format("{:016x}", sum);
}

std::map<std::string, std::string> read_model_table(Database& database) {
    std::map<std::string, std::string> values;
    Statement select(database, "SELECT key, value FROM model");
    while (select.step()) values[select.text(0)] = select.text(1);
    return values;
}

class HeadReader {
  public:
    explicit HeadReader(Database& database) : database_(database), values_(read_model_table(database)) {}

    [[nodiscard]] const std::string& text(const std::string& key) const {
        const auto found = values_.find(key);
        if (found == values_.end()) database_.refuse(fmt::format("its '{}' is missing", key));
        return found->second;
    }
    [[nodiscard]] std::uint64_t number(const std::string& key) const {
        const std::string& digits = text(key);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size())
            database_.refuse(fmt::format("its '{}' is not a number", key));
        return value;
    }

  private:
    Database& database_;
    std::map<std::string, std::string> values_;
};

Head read_head(const HeadReader& reader) {
    Head head;
    head.learner = reader.text("learner");
    head.preset = reader.text("preset");
    head.parameters = reader.text("parameters");
    head.front_end = reader.text("front_end");
    head.method = reader.number("method");
    head.seed = reader.number("seed");
    head.steps = reader.number("steps");
    head.lessons = reader.number("lessons");
    return head;
}

std::string joined(const std::vector<std::string>& columns) {
    std::string text;
    for (const std::string& column : columns) text += ", " + column;
    return text;
}

void read_content(Database& database, const Codec& codec, Content& content) {
    const Codec::Columns& columns = codec.columns();
    Statement classes(database, fmt::format("SELECT id, label{} FROM class", joined(columns.of_class)));
    while (classes.step()) {
        const std::int64_t id = classes.integer(0);
        if (!is_class_id(id)) database.refuse("a class has an id out of its range");
        content.classes[static_cast<ClassId>(id)] = {classes.text(1), codec.read_class(classes, 2)};
    }
    Statement units(
        database, fmt::format("SELECT lineage, class{} FROM unit ORDER BY lineage", joined(columns.of_unit)));
    Statement nodes(database, fmt::format("SELECT unit, place{} FROM node ORDER BY unit, place",
                                          joined(columns.of_node)));
    std::unique_ptr<Statement> edges;
    if (!columns.of_edge.empty()) {
        edges = std::make_unique<Statement>(
            database,
            fmt::format("SELECT unit, place{} FROM edge ORDER BY unit, place", joined(columns.of_edge)));
    }
    codec.read_units(units, nodes, edges.get(), content);
}

std::vector<std::string> read_journal(Database& database, std::uint64_t lessons) {
    std::vector<std::string> journal;
    Statement select(database, "SELECT lesson, content FROM journal WHERE lesson > ? ORDER BY lesson");
    select.bind(1, static_cast<std::int64_t>(lessons));
    while (select.step()) {
        if (static_cast<std::uint64_t>(select.integer(0)) != ++lessons)
            throw bad_input("a lesson is missing in its journal");
        journal.emplace_back(select.blob(1));
    }
    return journal;
}

} // namespace

std::string_view name_of(UnitEvent::Kind kind) {
    return event_names.at(static_cast<std::size_t>(kind)).name;
}

std::string_view meaning_of(UnitEvent::Kind kind) {
    return event_names.at(static_cast<std::size_t>(kind)).meaning;
}

UnitEvent::Kind event_kind_called(std::string_view name) {
    for (std::size_t i = 0; i < event_names.size(); ++i) {
        if (event_names.at(i).name == name) return static_cast<UnitEvent::Kind>(i);
    }
    throw bad_input(fmt::format("its log has an event '{}' that is not known here", name));
}

Stored read_tables(Database& database) {
    check_kind(database);
    try {
        Stored stored;
        const HeadReader reader(database);
        stored.content.head = read_head(reader);
        stored.codec = make_codec(stored.content.head);
        check_schema(database, *stored.codec);
        read_content(database, *stored.codec, stored.content);
        stored.learner = stored.codec->restore(stored.content);
        const std::uint64_t digest = stored.learner->digest();
        if (fmt::format("{:016x}", digest) != reader.text("digest"))
            throw bad_input("its content is not what was written (its digest is another)");
        if (seal_of(stored.content.head, digest) != reader.text("seal"))
            throw bad_input("its head is not what was written (its seal is another)");
        stored.journal = read_journal(database, stored.content.head.lessons);
        return stored;
    } catch (const Error& error) {
        database.refuse(error);
    }
}

void Dirty::mark(const Delta& delta) {
    for (const auto& [id, entry] : delta.classes) classes.push_back(id);
    for (const auto& [lineage, entry] : delta.units) units.push_back(lineage);
}

void Dirty::clear() {
    classes.clear();
    units.clear();
}

namespace {

template <typename Value>
std::vector<Value> each_once(std::vector<Value> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::string put(const char* table, std::size_t columns) {
    std::string marks = "?";
    for (std::size_t i = 1; i < columns; ++i) marks += ", ?";
    return fmt::format("INSERT OR REPLACE INTO {} VALUES({})", table, marks);
}

} // namespace

TableWriter::TableWriter(Database& database, const Codec& codec)
    : codec_(codec), has_edges_(!codec.columns().of_edge.empty()), put_model_(database, put("model", 2)),
      put_class_(database, put("class", 2 + codec.columns().of_class.size())),
      drop_class_(database, "DELETE FROM class WHERE id = ?"),
      put_unit_(database, put("unit", 2 + codec.columns().of_unit.size())),
      drop_unit_(database, "DELETE FROM unit WHERE lineage = ?"),
      put_node_(database, put("node", 2 + codec.columns().of_node.size())),
      cut_nodes_(database, "DELETE FROM node WHERE unit = ? AND place >= ?") {
    if (!has_edges_) return;
    put_edge_ = std::make_unique<Statement>(database, put("edge", 2 + codec.columns().of_edge.size()));
    cut_edges_ = std::make_unique<Statement>(database, "DELETE FROM edge WHERE unit = ? AND place >= ?");
}

void TableWriter::write(const Content& content, const Dirty& dirty, const Learner& learner) {
    for (const ClassId id : each_once(dirty.classes)) {
        const auto found = content.classes.find(id);
        if (found == content.classes.end()) {
            drop_class_.bind(1, std::int64_t{id}).run();
        } else {
            write_class(id, found->second);
        }
    }
    for (const Lineage lineage : each_once(dirty.units)) {
        const auto found = content.units.find(lineage);
        if (found == content.units.end()) {
            remove_unit(lineage);
        } else {
            write_unit(lineage, found->second);
        }
    }
    write_head(content, learner);
}

void TableWriter::write_class(ClassId id, const ClassEntry& entry) {
    put_class_.bind(1, std::int64_t{id}).bind(2, entry.label);
    codec_.bind_class(put_class_, 3, entry.packed);
    put_class_.run();
}

void TableWriter::cut_parts(Statement& cut, Lineage unit, std::size_t from) {
    cut.bind(1, static_cast<std::int64_t>(unit)).bind(2, static_cast<std::int64_t>(from)).run();
}

void TableWriter::write_unit(Lineage lineage, const UnitEntry& entry) {
    put_unit_.bind(1, static_cast<std::int64_t>(lineage)).bind(2, std::int64_t{entry.label});
    codec_.bind_unit(put_unit_, 3, entry.packed);
    put_unit_.run();
    cut_parts(cut_nodes_, lineage, codec_.insert_nodes(put_node_, lineage, entry.packed));
    if (has_edges_) cut_parts(*cut_edges_, lineage, codec_.insert_edges(*put_edge_, lineage, entry.packed));
}

void TableWriter::remove_unit(Lineage lineage) {
    drop_unit_.bind(1, static_cast<std::int64_t>(lineage)).run();
    cut_parts(cut_nodes_, lineage, 0);
    if (has_edges_) cut_parts(*cut_edges_, lineage, 0);
}

void TableWriter::write_head(const Content& content, const Learner& learner) {
    const Head& head = content.head;
    const std::uint64_t digest = learner.digest();
    const std::array<std::pair<std::string_view, std::string>, 11> values = {{
        {"learner", head.learner},
        {"preset", head.preset},
        {"parameters", head.parameters},
        {"front_end", head.front_end},
        {"method", std::to_string(head.method)},
        {"seed", std::to_string(head.seed)},
        {"steps", std::to_string(head.steps)},
        {"lessons", std::to_string(head.lessons)},
        {"digest", fmt::format("{:016x}", digest)},
        {"seal", seal_of(head, digest)},
        {"written_by", "sprig " SPRIG_VERSION},
    }};
    for (const auto& [key, value] : values) put_model_.bind(1, key).bind(2, value).run();
}

} // namespace sprig::store
