#pragma once

#include <filesystem>

#include "sprig/store.h"
#include "store/model_files.h"
#include "store/tables.h"

namespace sprig::store {

/// The path of a model file with all links resolved. Throws Error(bad_input) if there is no such file.
[[nodiscard]] std::filesystem::path resolve_path(const std::filesystem::path& path);

/// Opens an existing model file. Throws Error(bad_input) if it does not exist or is not a model file.
[[nodiscard]] Database open_existing(const std::filesystem::path& path, Database::Mode mode);

/// The folder of a file, and the prefix of the temporary folders that new files are written in.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);
inline constexpr std::string_view temporary_prefix = ".sprig-new-";

/// Reads the event log: the latest events and the totals.
void read_log(Database& database, StoredModel& model);
/// Runs SQLite's integrity check. Throws Error(bad_input) if it fails.
void check_integrity(Database& database);

/// Learns a lesson of the journal again. Throws Error(bad_input) if it is damaged, or the result differs from
/// the recorded one.
Lesson replay_lesson(ModelState& state, std::string_view packed);

} // namespace sprig::store
