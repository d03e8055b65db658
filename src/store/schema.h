#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/model_state.h"

namespace sprig::store {

inline constexpr std::int64_t application_id = 0x53505247; ///< "SPRG"
inline constexpr std::int64_t schema_version = 2;
/// Large enough that a lesson of Constellation fits on one page.
inline constexpr int page_size = 8192;

/// Creates the tables and views in an empty file.
void create_schema(Database& database, const Storage& storage, const Schema& vocabulary);
/// Returns the version of the file's format. Throws Error(bad_input) if the file is not a model file, or the
/// version is unknown.
[[nodiscard]] std::int64_t check_format(Database& database);
/// Throws Error(bad_input) if the tables and views differ from those of this format.
void check_schema(Database& database, const Storage& storage, std::int64_t format);
/// Converts a closed file of an older format to the current one. Must run in a transaction. The undo data of
/// format 1 is dropped.
void migrate(Database& database);

} // namespace sprig::store
