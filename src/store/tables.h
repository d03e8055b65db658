#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/kept.h"

namespace sprig::store {

/// The words for what happened to units, as they stand in a file.
[[nodiscard]] std::string_view name_of(UnitEvent::Kind kind);
[[nodiscard]] UnitEvent::Kind event_kind_called(std::string_view name);
[[nodiscard]] std::string_view meaning_of(UnitEvent::Kind kind);
inline constexpr std::size_t event_kinds = 6;

/// What the tables of a file hold.
struct Stored {
    Kept kept;                        ///< its learner is made of the content, and found to be sound
    std::vector<std::string> journal; ///< lessons that are not in the tables yet, packed, in order
    std::string written_by;
};

/// Reads a file, trusting nothing: its kind, its tables, its content and its digest are checked. Throws
/// Error(bad_input) with a reason. Must run in a transaction.
[[nodiscard]] Stored read_tables(Database& database);

/// Which classes and units differ from what the tables hold.
struct Dirty {
    std::vector<ClassId> classes; ///< some may be there several times
    std::vector<Lineage> units;

    void mark(const Delta& delta);
    void clear();
};

/// Writes content into tables. Must run in a transaction.
class TableWriter {
  public:
    TableWriter(Database& database, const Storage& storage);

    /// Makes the tables agree with the content where it is dirty, and the head with the learner.
    void write(const Content& content, const Dirty& dirty, const Learner& learner);

  private:
    void write_class(ClassId id, const ClassEntry& entry);
    void write_unit(Lineage lineage, const UnitEntry& entry);
    void remove_unit(Lineage lineage);
    void write_parts(Statement& put, Statement& cut, Lineage unit,
                     const std::vector<Storage::Column>& columns, std::string_view& packed);
    void cut_parts(Statement& cut, Lineage unit, std::size_t from);
    void write_head(const Content& content, const Learner& learner);

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
