#include "store/tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/keyed.h"
#include "learner/packing.h"
#include "sprig/error.h"
#include "sprig/version.h"
#include "store/schema.h"

namespace sprig::store {

using learner::Packer;

namespace {

/// A hash of the header and the learner's digest, so that a change of the header is detected.
std::string seal_of(const ModelHeader& header, std::uint64_t digest) {
    std::uint64_t sum = random::mix({header.method, header.seed, header.steps, header.lessons, digest});
    for (const std::string* text : {&header.learner, &header.preset, &header.parameters, &header.front_end})
        sum = random::mix(sum, random::mix(*text));
    return fmt::format("{:016x}", sum);
}

std::map<std::string, std::string> read_model_table(Database& database) {
    std::map<std::string, std::string> values;
    Statement select(database, "SELECT key, value FROM model");
    while (select.step()) {
        // A damaged index can return a row more than once.
        if (!values.emplace(select.text(0), select.text(1)).second)
            database.refuse("its table 'model' is damaged");
    }
    return values;
}

class HeaderReader {
  public:
    explicit HeaderReader(Database& database) : database_(database), values_(read_model_table(database)) {}

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

ModelHeader read_header(const HeaderReader& reader) {
    ModelHeader header;
    header.learner = reader.text("learner");
    header.preset = reader.text("preset");
    header.parameters = reader.text("parameters");
    header.front_end = reader.text("front_end");
    header.method = reader.number("method");
    header.seed = reader.number("seed");
    header.steps = reader.number("steps");
    header.lessons = reader.number("lessons");
    return header;
}

using Columns = std::vector<Storage::Column>;

std::string column_list(const Columns& columns) {
    std::string text;
    for (const Storage::Column& column : columns) text += ", " + column.name;
    return text;
}

/// Packs a row, from the column `first` on.
void read_row(Statement& row, int first, const Columns& columns, Packer& packer) {
    for (const Storage::Column& column : columns) {
        if (column.is_real) {
            packer.number(row.real(first++));
        } else {
            packer.number(static_cast<std::uint64_t>(row.integer(first++)));
        }
    }
}

/// Binds a packed row to the parameters from `first` on, and removes it from `packed`.
void bind_row(Statement& insert, int first, const Columns& columns, std::string_view& packed) {
    for (const Storage::Column& column : columns) {
        std::uint64_t word = 0;
        std::memcpy(&word, packed.data(), sizeof word);
        packed.remove_prefix(sizeof word);
        if (column.is_real) {
            insert.bind(first++, std::bit_cast<double>(word));
        } else {
            insert.bind(first++, static_cast<std::int64_t>(word));
        }
    }
}

/// Reads nodes or edges, unit by unit.
class PartReader {
  public:
    PartReader(Database& database, const char* table, const Columns& columns)
        : columns_(columns), rows_(database, fmt::format("SELECT unit, place{} FROM {} ORDER BY unit, place",
                                                         column_list(columns), table)) {
        next();
    }
    [[nodiscard]] bool is_at_end() const { return !has_row_; }
    /// Appends the number of a unit's nodes or edges, and their rows.
    void append(Lineage unit, std::string& packed) {
        const std::size_t at = packed.size();
        Packer packer(packed);
        packer.count(0);
        std::uint64_t count = 0;
        for (; has_row_ && static_cast<Lineage>(rows_.integer(0)) == unit; next()) {
            if (rows_.integer(1) != static_cast<std::int64_t>(count++))
                throw bad_input("a unit's nodes or edges are not in order");
            read_row(rows_, 2, columns_, packer);
        }
        std::memcpy(packed.data() + at, &count, sizeof count);
    }

  private:
    void next() { has_row_ = rows_.step(); }

    const Columns& columns_;
    Statement rows_;
    bool has_row_ = false;
};

void read_classes(Database& database, const Columns& columns, Content& content) {
    Statement rows(database, fmt::format("SELECT id, label{} FROM class ORDER BY id", column_list(columns)));
    while (rows.step()) {
        const std::int64_t id = rows.integer(0);
        if (!learner::is_class_id(id)) throw bad_input("the id of a class is out of range");
        ClassEntry entry{rows.text(1), {}};
        Packer packer(entry.packed);
        read_row(rows, 2, columns, packer);
        // A damaged index can return a row more than once.
        if (!content.classes.emplace(static_cast<ClassId>(id), std::move(entry)).second)
            throw bad_input("a class occurs twice");
    }
}

void read_content(Database& database, const Storage& storage, Content& content) {
    const Storage::Columns& columns = storage.columns();
    read_classes(database, columns.of_class, content);
    PartReader nodes(database, "node", columns.of_node);
    std::optional<PartReader> edges;
    if (!columns.of_edge.empty()) edges.emplace(database, "edge", columns.of_edge);
    Statement units(database, fmt::format("SELECT lineage, class{} FROM unit ORDER BY lineage",
                                          column_list(columns.of_unit)));
    while (units.step()) {
        const auto lineage = static_cast<Lineage>(units.integer(0));
        const std::int64_t label = units.integer(1);
        if (!learner::is_class_id(label)) throw bad_input("a unit belongs to no class");
        UnitEntry entry{static_cast<ClassId>(label), {}};
        Packer packer(entry.packed);
        read_row(units, 2, columns.of_unit, packer);
        nodes.append(lineage, entry.packed);
        edges ? edges->append(lineage, entry.packed) : packer.count(0);
        if (!content.units.emplace(lineage, std::move(entry)).second) throw bad_input("a unit occurs twice");
    }
    if (!nodes.is_at_end() || (edges && !edges->is_at_end()))
        throw bad_input("a node or an edge belongs to no unit");
}

/// A journal of format 1 cannot be replayed: see docs/file-format.md.
void refuse_old_journal(Database& database, const ModelHeader& header) {
    Statement rows(database, "SELECT EXISTS(SELECT 1 FROM journal WHERE lesson > ?)");
    rows.bind(1, static_cast<std::int64_t>(header.lessons));
    if (rows.step() && rows.integer(0) != 0) {
        throw bad_input("Sprig 0.6.0 was stopped before it closed the file; learn one more image into it "
                        "with Sprig 0.6.0, "
                        "which closes it, then open it with this version");
    }
}

std::vector<std::string> read_journal(Database& database, const FileContent& file) {
    const ModelHeader& header = file.state.header;
    const int method = file.state.learner->version();
    std::uint64_t lessons = header.lessons;
    std::vector<std::string> journal;
    Statement select(database,
                     "SELECT lesson, method, content FROM journal WHERE lesson > ? ORDER BY lesson");
    select.bind(1, static_cast<std::int64_t>(lessons));
    while (select.step()) {
        if (static_cast<std::uint64_t>(select.integer(0)) != ++lessons)
            throw bad_input("a lesson is missing from its journal");
        if (select.integer(1) != method) {
            throw bad_input(
                fmt::format("its journal holds lessons of method {} of {}, and this program uses method {}; "
                            "learn one more "
                            "image into it with {}, which closes it, then open it with this version",
                            select.integer(1), header.learner, method, file.written_by));
        }
        journal.emplace_back(select.blob(2));
    }
    return journal;
}

} // namespace

FileContent read_tables(Database& database) {
    const std::int64_t format = check_format(database);
    try {
        FileContent file;
        const HeaderReader reader(database);
        Content content;
        content.header = read_header(reader);
        file.written_by = reader.text("written_by");
        std::unique_ptr<Storage> storage = storage_for(content.header);
        check_schema(database, *storage, format);
        read_content(database, *storage, content);
        file.state = ModelState(std::move(storage), std::move(content));
        const ModelState& state = file.state;
        check_method(state.header, *state.learner);
        const std::uint64_t digest = state.learner->digest();
        if (fmt::format("{:016x}", digest) != reader.text("digest"))
            throw bad_input("its content does not match its digest");
        if (seal_of(state.header, digest) != reader.text("seal"))
            throw bad_input("its header does not match its seal");
        if (format == 1) {
            refuse_old_journal(database, state.header);
        } else {
            file.journal = read_journal(database, file);
        }
        return file;
    } catch (const Error& error) {
        database.refuse(error);
    }
}

void DirtySet::mark(const Delta& delta) {
    for (const auto& [id, entry] : delta.classes) classes.push_back(id);
    for (const auto& [lineage, entry] : delta.units) units.push_back(lineage);
}

void DirtySet::clear() {
    classes.clear();
    units.clear();
}

namespace {

template <typename Value>
std::vector<Value> sorted_unique(std::vector<Value> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::string insert_sql(const char* table, std::size_t columns) {
    std::string marks = "?";
    for (std::size_t i = 1; i < columns; ++i) marks += ", ?";
    return fmt::format("INSERT OR REPLACE INTO {} VALUES({})", table, marks);
}

} // namespace

TableWriter::TableWriter(Database& database, const Storage& storage)
    : storage_(storage), put_model_(database, insert_sql("model", 2)),
      put_class_(database, insert_sql("class", 2 + storage.columns().of_class.size())),
      drop_class_(database, "DELETE FROM class WHERE id = ?"),
      put_unit_(database, insert_sql("unit", 2 + storage.columns().of_unit.size())),
      drop_unit_(database, "DELETE FROM unit WHERE lineage = ?"),
      put_node_(database, insert_sql("node", 2 + storage.columns().of_node.size())),
      cut_nodes_(database, "DELETE FROM node WHERE unit = ? AND place >= ?") {
    if (storage.columns().of_edge.empty()) return;
    put_edge_ =
        std::make_unique<Statement>(database, insert_sql("edge", 2 + storage.columns().of_edge.size()));
    cut_edges_ = std::make_unique<Statement>(database, "DELETE FROM edge WHERE unit = ? AND place >= ?");
}

void TableWriter::write(const ModelState& state, const DirtySet& dirty) {
    for (const ClassId id : sorted_unique(dirty.classes)) {
        if (const std::optional<ClassEntry> entry = state.class_entry(id)) {
            write_class(id, *entry);
        } else {
            drop_class_.bind(1, std::int64_t{id}).run();
        }
    }
    for (const Lineage lineage : sorted_unique(dirty.units)) {
        if (const std::optional<UnitEntry> entry = state.unit_entry(lineage)) {
            write_unit(lineage, *entry);
        } else {
            remove_unit(lineage);
        }
    }
    write_header(state.header, state.learner->digest());
}

void TableWriter::write_class(ClassId id, const ClassEntry& entry) {
    put_class_.bind(1, std::int64_t{id}).bind(2, entry.label);
    std::string_view packed = entry.packed;
    bind_row(put_class_, 3, storage_.columns().of_class, packed);
    put_class_.run();
}

void TableWriter::cut_parts(Statement& cut, Lineage unit, std::size_t from) {
    cut.bind(1, static_cast<std::int64_t>(unit)).bind(2, static_cast<std::int64_t>(from)).run();
}

void TableWriter::write_parts(Statement& put, Statement& cut, Lineage unit,
                              const std::vector<Storage::Column>& columns, std::string_view& packed) {
    std::uint64_t count = 0;
    std::memcpy(&count, packed.data(), sizeof count);
    packed.remove_prefix(sizeof count);
    for (std::uint64_t place = 0; place < count; ++place) {
        put.bind(1, static_cast<std::int64_t>(unit)).bind(2, static_cast<std::int64_t>(place));
        bind_row(put, 3, columns, packed);
        put.run();
    }
    cut_parts(cut, unit, static_cast<std::size_t>(count));
}

void TableWriter::write_unit(Lineage lineage, const UnitEntry& entry) {
    put_unit_.bind(1, static_cast<std::int64_t>(lineage)).bind(2, std::int64_t{entry.label});
    std::string_view packed = entry.packed;
    bind_row(put_unit_, 3, storage_.columns().of_unit, packed);
    put_unit_.run();
    write_parts(put_node_, cut_nodes_, lineage, storage_.columns().of_node, packed);
    if (put_edge_) write_parts(*put_edge_, *cut_edges_, lineage, storage_.columns().of_edge, packed);
}

void TableWriter::remove_unit(Lineage lineage) {
    drop_unit_.bind(1, static_cast<std::int64_t>(lineage)).run();
    cut_parts(cut_nodes_, lineage, 0);
    if (cut_edges_) cut_parts(*cut_edges_, lineage, 0);
}

void TableWriter::write_header(const ModelHeader& header, std::uint64_t digest) {
    const std::array<std::pair<std::string_view, std::string>, 11> values = {{
        {"learner", header.learner},
        {"preset", header.preset},
        {"parameters", header.parameters},
        {"front_end", header.front_end},
        {"method", std::to_string(header.method)},
        {"seed", std::to_string(header.seed)},
        {"steps", std::to_string(header.steps)},
        {"lessons", std::to_string(header.lessons)},
        {"digest", fmt::format("{:016x}", digest)},
        {"seal", seal_of(header, digest)},
        {"written_by", "sprig " SPRIG_VERSION},
    }};
    for (const auto& [key, value] : values) put_model_.bind(1, key).bind(2, value).run();
}

} // namespace sprig::store
