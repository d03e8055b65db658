#include "store/schema.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace sprig::store {

namespace {

/// Columns without a declared type: SQLite stores these numbers bit for bit. In a REAL column minus zero
/// would become zero.
std::string column_definitions(const std::vector<Storage::Column>& columns) {
    std::string text;
    for (const Storage::Column& column : columns) text += fmt::format(",\n  {} NOT NULL", column.name);
    return text;
}

std::string parts_table(const char* name, const std::vector<Storage::Column>& columns) {
    return fmt::format(
        "CREATE TABLE {}(\n  unit INTEGER NOT NULL REFERENCES unit,\n  place INTEGER NOT NULL{},\n"
        "  PRIMARY KEY(unit, place)\n) WITHOUT ROWID",
        name, column_definitions(columns));
}

std::string names_table(const char* name) {
    return fmt::format("CREATE TABLE {}(\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL\n)", name);
}

const char* const fixed_tables[] = {
    R"(CREATE TABLE model(
  key TEXT PRIMARY KEY,
  value NOT NULL
) WITHOUT ROWID)",
    R"(CREATE TABLE event(
  id INTEGER PRIMARY KEY,
  lesson INTEGER NOT NULL,
  kind TEXT NOT NULL,
  unit INTEGER NOT NULL,
  target INTEGER
))",
    R"(CREATE TABLE event_total(
  kind TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  meaning TEXT NOT NULL
) WITHOUT ROWID)",
    R"(CREATE TABLE undo(
  lesson INTEGER PRIMARY KEY,
  content BLOB NOT NULL
))",
};

const char* const journal_table = R"(CREATE TABLE journal(
  slot INTEGER PRIMARY KEY,
  lesson INTEGER NOT NULL,
  method INTEGER NOT NULL,
  content BLOB NOT NULL
))";
const char* const journal_table_1 = R"(CREATE TABLE journal(
  slot INTEGER PRIMARY KEY,
  lesson INTEGER NOT NULL,
  content BLOB NOT NULL
))";

const char* const history_view = R"(CREATE VIEW history AS
SELECT e.id, e.lesson, e.kind, printf('%016x', e.unit) AS unit,
  CASE WHEN e.target IS NULL THEN NULL ELSE printf('%016x', e.target) END AS target,
  c.label AS class, t.meaning AS why
FROM event e JOIN event_total t ON t.kind = e.kind
LEFT JOIN unit u ON u.lineage = e.unit LEFT JOIN class c ON c.id = u.class)";

std::vector<std::string> schema_of(const Storage& storage, std::int64_t format) {
    const Storage::Columns& columns = storage.columns();
    std::vector<std::string> sql(std::begin(fixed_tables), std::end(fixed_tables));
    sql.emplace_back(format == 1 ? journal_table_1 : journal_table);
    sql.emplace_back(history_view);
    sql.push_back(fmt::format(R"(CREATE TABLE class(
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL UNIQUE{}
))",
                              column_definitions(columns.of_class)));
    sql.push_back(fmt::format(R"(CREATE TABLE unit(
  lineage INTEGER PRIMARY KEY,
  class INTEGER NOT NULL REFERENCES class{}
))",
                              column_definitions(columns.of_unit)));
    sql.push_back(parts_table("node", columns.of_node));
    sql.push_back(names_table("node_type"));
    if (!columns.of_edge.empty()) {
        sql.push_back(parts_table("edge", columns.of_edge));
        sql.push_back(names_table("layer"));
    }
    for (std::string& view : storage.views()) sql.push_back(std::move(view));
    return sql;
}

} // namespace

void create_schema(Database& database, const Storage& storage, const Schema& vocabulary) {
    for (const std::string& statement : schema_of(storage, schema_version)) database.run(statement.c_str());
    const auto fill = [&](const char* sql, const std::vector<std::string>& names) {
        Statement insert(database, sql);
        for (std::size_t i = 0; i < names.size(); ++i)
            insert.bind(1, static_cast<std::int64_t>(i)).bind(2, names[i]).run();
    };
    fill("INSERT INTO node_type VALUES(?, ?)", vocabulary.node_types);
    if (!storage.columns().of_edge.empty()) fill("INSERT INTO layer VALUES(?, ?)", vocabulary.layers);
}

std::int64_t check_format(Database& database) {
    if (database.query_integer("PRAGMA application_id") != application_id)
        database.refuse("it is an SQLite file of another program");
    const std::int64_t version = database.query_integer("PRAGMA user_version");
    if (version > schema_version) {
        database.refuse(
            fmt::format("it has version {} of the format, and this program knows versions up to {}; "
                        "get a newer sprig",
                        version, schema_version));
    }
    if (version < 1) database.refuse("its format version is not valid");
    return version;
}

void check_schema(Database& database, const Storage& storage, std::int64_t format) {
    std::vector<std::string> expected = schema_of(storage, format);
    std::vector<std::string> found;
    Statement select(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL");
    while (found.size() <= expected.size() && select.step()) found.push_back(select.text(0));
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    if (expected != found) database.refuse("its tables are not those of a model file");
}

void migrate(Database& database) {
    if (check_format(database) == schema_version) return;
    database.run("DROP TABLE journal");
    database.run(journal_table);
    database.run(fmt::format("DELETE FROM undo; PRAGMA user_version = {}", schema_version).c_str());
}

} // namespace sprig::store
