#pragma once

#include <filesystem>

#include "sprig/store.h"
#include "store/tables.h"

namespace sprig::store {

/// Where a model file really lies, whatever links lead there. Throws Error(bad_input) if there is none.
[[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& path);

/// Opens an existing file. Throws Error(bad_input) if there is none, or it cannot be one.
[[nodiscard]] Database open_existing(const std::filesystem::path& path, Database::Mode mode);

/// The folder that a file lies in, and what the names of folders begin with in which files are made there.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);
inline constexpr std::string_view temporary_prefix = ".sprig-new-";

/// Makes a file of that model, whole or not at all.
void create_file(const std::filesystem::path& path, const Kept& kept);

/// The model of a file or of a bytes file, its journal's lessons learned. Throws as `load_model` does.
[[nodiscard]] Kept read_kept(const std::filesystem::path& path);
/// Adds what a file's log holds: events and how many there were.
void read_log(Database& database, StoredModel& model);
/// Throws Error(bad_input) if SQLite finds the file damaged.
void check_integrity(Database& database);

/// Learns a lesson of a journal again. Throws Error(bad_input) if it is damaged, or comes to something else
/// than before.
Kept::Lesson replay_lesson(Kept& kept, std::string_view packed);

} // namespace sprig::store
