#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/kept.h"

namespace sprig::store {

inline constexpr std::int64_t application_id = 0x53505247; ///< "SPRG"
inline constexpr std::int64_t schema_version = 2;
/// Holds one lesson of Constellation: each is then one page.
inline constexpr int page_size = 8192;

/// Makes the tables and views of a learner's file in an empty one.
void create_schema(Database& database, const Storage& storage, const Schema& vocabulary);
/// The version of the file's format. Throws Error(bad_input) if the file is not a model's, or of a version
/// that is not known here.
[[nodiscard]] std::int64_t check_kind(Database& database);
/// Throws Error(bad_input) if the tables and views are not exactly those of that format.
void check_schema(Database& database, const Storage& storage, std::int64_t format);
/// Makes a closed file of an older format one of the present. Must run in a transaction. What format 1 kept
/// for undoing is not read any more: it is dropped.
void migrate(Database& database);

} // namespace sprig::store
