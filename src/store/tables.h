#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/model_state.h"

namespace sprig::store {

/// The content of a file's tables.
struct FileContent {
    ModelState state;                 ///< as of the tables; its learner is restored and checked
    std::vector<std::string> journal; ///< packed lessons that are not in the tables yet, in order
    std::string written_by;
};

/// Reads an untrusted file: checks its format, schema, content and digest. Throws Error(bad_input) with the
/// reason. Must run in a transaction.
[[nodiscard]] FileContent read_tables(Database& database);

/// The classes and units that differ from the tables.
struct DirtySet {
    std::vector<ClassId> classes; ///< may contain duplicates
    std::vector<Lineage> units;

    void mark(const Delta& delta);
    void clear();
};

/// Writes content to the tables. Must run in a transaction.
class TableWriter {
  public:
    TableWriter(Database& database, const Storage& storage);

    /// Writes the dirty classes and units, and the header.
    void write(const ModelState& state, const DirtySet& dirty);

  private:
    void write_class(ClassId id, const ClassEntry& entry);
    void write_unit(Lineage lineage, const UnitEntry& entry);
    void remove_unit(Lineage lineage);
    void write_parts(Statement& put, Statement& cut, Lineage unit,
                     const std::vector<Storage::Column>& columns, std::string_view& packed);
    void cut_parts(Statement& cut, Lineage unit, std::size_t from);
    void write_header(const ModelHeader& header, std::uint64_t digest);

    const Storage& storage_;
    Statement put_model_;
    Statement put_class_;
    Statement drop_class_;
    Statement put_unit_;
    Statement drop_unit_;
    Statement put_node_;
    Statement cut_nodes_;
    std::unique_ptr<Statement> put_edge_;
    std::unique_ptr<Statement> cut_edges_;
};

} // namespace sprig::store
