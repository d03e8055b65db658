#include "store/open.h"

#include <system_error>

#include <fmt/format.h>

#include "data/files.h"
#include "sprig/error.h"
#include "store/events.h"
#include "store/packed.h"
#include "store/schema.h"

namespace sprig::store {

namespace fs = std::filesystem;

namespace {

/// Rejects a truncated file, even if the missing pages were free.
void check_size(Database& database, const fs::path& path) {
    std::error_code problem;
    const std::uintmax_t wal_bytes = fs::file_size(path.string() + "-wal", problem);
    if (!problem && wal_bytes > 0) return; // some pages are only in the write-ahead log
    const auto pages = static_cast<std::uintmax_t>(database.query_integer("PRAGMA page_count"));
    const auto bytes = static_cast<std::uintmax_t>(database.query_integer("PRAGMA page_size"));
    if (fs::file_size(path) != pages * bytes)
        database.refuse("its size is wrong: it was truncated, or something was appended to it");
}

/// A program that is killed while it opens or closes a file for learning leaves an SQLite rollback journal.
/// It must be rolled back before the file is read, and a read-only connection cannot do that.
void roll_back_journal(const fs::path& path) {
    std::error_code problem;
    if (!fs::exists(path.string() + "-journal", problem)) return;
    try {
        (void)Database(path, Database::Mode::write).query_integer("SELECT count(*) FROM sqlite_schema");
    } catch (const Error&) { // reading the file reports what is wrong
    }
}

void write_new_file(Database& database, const ModelState& state) {
    database.run(fmt::format("PRAGMA page_size = {}; PRAGMA application_id = {}; PRAGMA user_version = {}",
                             page_size, application_id, schema_version)
                     .c_str());
    Transaction transaction(database, Transaction::Kind::write);
    create_schema(database, *state.storage, *front_end_schema(state.learner->front_end()));
    Statement total(database, "INSERT INTO event_total VALUES(?, 0, ?)");
    for (const UnitEvent::Kind kind : all_event_kinds)
        total.bind(1, event_name(kind)).bind(2, event_meaning(kind)).run();
    DirtySet all;
    all.classes = state.entries->classes();
    for (const auto& [id, lineage] : state.entries->units()) all.units.push_back(lineage);
    TableWriter(database, *state.storage).write(state, all);
    transaction.commit();
}

} // namespace

fs::path resolve_path(const fs::path& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (!fs::exists(status))
        throw bad_input(fmt::format("there is no model file '{}'; 'sprig learn' makes one", path.string()));
    if (!fs::is_regular_file(status))
        throw bad_input(fmt::format("'{}' is not a file, so it cannot be a model", path.string()));
    fs::path resolved = fs::canonical(path, problem);
    return problem ? path : resolved;
}

Database open_existing(const fs::path& path, Database::Mode mode) {
    const fs::path resolved = resolve_path(path);
    roll_back_journal(resolved);
    Database database(resolved, mode, path.string());
    (void)check_format(database);
    check_size(database, resolved);
    return database;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void require_model_files(const fs::path& /*path*/) {}

void check_new_file(const fs::path& path) {
    std::error_code problem;
    if (fs::exists(fs::symlink_status(path, problem)))
        throw usage_error(fmt::format("'{}' already exists; choose another name", path.string()));
    const fs::path parent = folder_of(path);
    if (!fs::is_directory(parent, problem))
        throw usage_error(fmt::format("there is no folder '{}' for the model file", parent.string()));
}

void create_file(const fs::path& path, const ModelState& state) {
    check_new_file(path);
    const fs::path parent = folder_of(path);
    std::error_code problem;
    data_detail::remove_abandoned(parent, temporary_prefix);
    const data_detail::TemporaryFolder folder(parent, temporary_prefix);
    const fs::path made = folder.path() / "model.sprig";
    Database database(made, Database::Mode::create);
    write_new_file(database, state);
    database.close();
    fs::create_hard_link(made, path, problem); // unlike a rename, never replaces an existing file
    if (problem) fs::rename(made, path, problem);
    if (problem) throw failed(fmt::format("'{}' cannot be created: {}", path.string(), problem.message()));
}

void check_integrity(Database& database) {
    const std::string result = database.query_text("PRAGMA integrity_check(1)");
    if (result != "ok") database.refuse("the SQLite integrity check failed (" + result + ")");
}

Lesson replay_lesson(ModelState& state, std::string_view packed) {
    const LoggedLesson lesson = unpack_lesson(packed, front_end_schema(state.learner->front_end()));
    Lesson learned = state.learn(lesson.network, lesson.label);
    if (learned.digest != lesson.digest)
        throw bad_input("a lesson in its journal has another result here than when it was learned");
    return learned;
}

} // namespace sprig::store
