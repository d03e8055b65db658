#pragma once

#include <filesystem>

#include "sprig/store.h"
#include "store/tables.h"

namespace sprig::store {

/// Where a model file really lies, whatever links lead there. Throws Error(bad_input) if there is none.
[[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& path);

/// Opens an existing file. Throws Error(bad_input) if there is none, or it cannot be one.
[[nodiscard]] Database open_existing(const std::filesystem::path& path, Database::Mode mode);

/// Makes a file of that content, whole or not at all.
void create_file(const std::filesystem::path& path, const Content& content, const Codec& codec);

/// Applies the journal's lessons to what the tables held, and makes the learner anew; gives back what
/// happened in them. Throws Error(bad_input) if one is damaged.
std::vector<LoggedEvent> catch_up(Stored& stored);

} // namespace sprig::store
