#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/codec.h"
#include "store/database.h"

namespace sprig::store {

inline constexpr std::int64_t application_id = 0x53505247; ///< "SPRG"
inline constexpr std::int64_t schema_version = 1;
/// Holds one lesson of Constellation: each is then one page.
inline constexpr int page_size = 8192;

/// Makes the tables and views of a learner's file in an empty one.
void create_schema(Database& database, const Codec& codec, const Schema& vocabulary);
/// Throws Error(bad_input) if the file is not a model's, or of a version that is not known here.
void check_kind(Database& database);
/// Throws Error(bad_input) if the tables and views are not exactly those.
void check_schema(Database& database, const Codec& codec);

} // namespace sprig::store
