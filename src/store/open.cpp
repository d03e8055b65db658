#include "store/open.h"

#include <system_error>

#include <fmt/format.h>

#include "data/files.h"
#include "sprig/error.h"
#include "store/packed.h"
#include "store/schema.h"

namespace sprig::store {

namespace fs = std::filesystem;

namespace {

/// A file that was cut short is not believed, even where what is missing was not in use.
void check_size(Database& database, const fs::path& path) {
    std::error_code problem;
    const std::uintmax_t beside = fs::file_size(path.string() + "-wal", problem);
    if (!problem && beside > 0) return; // some pages are there only
    const auto pages = static_cast<std::uintmax_t>(database.ask("PRAGMA page_count"));
    const auto bytes = static_cast<std::uintmax_t>(database.ask("PRAGMA page_size"));
    if (fs::file_size(path) != pages * bytes)
        database.refuse("it is cut short, or something was added to it");
}

/// Who was killed while a file was being opened or closed for learning left a journal that must be rolled
/// back before anything is read, and a reader may not do that itself.
void roll_back(const fs::path& path) {
    std::error_code problem;
    if (!fs::exists(path.string() + "-journal", problem)) return;
    try {
        (void)Database(path, Database::Mode::write).ask("SELECT count(*) FROM sqlite_schema");
    } catch (const Error&) { // reading says what is wrong
    }
}

void fill(Database& database, const Kept& kept) {
    database.run(fmt::format("PRAGMA page_size = {}; PRAGMA application_id = {}; PRAGMA user_version = {}",
                             page_size, application_id, schema_version)
                     .c_str());
    Transaction transaction(database, Transaction::Kind::write);
    create_schema(database, *kept.storage, *front_end_schema(kept.learner->front_end()));
    Statement total(database, "INSERT INTO event_total VALUES(?, 0, ?)");
    for (std::size_t kind = 0; kind < event_kinds; ++kind) {
        const auto event = static_cast<UnitEvent::Kind>(kind);
        total.bind(1, name_of(event)).bind(2, meaning_of(event)).run();
    }
    Dirty all;
    for (const auto& [id, entry] : kept.content.classes) all.classes.push_back(id);
    for (const auto& [lineage, entry] : kept.content.units) all.units.push_back(lineage);
    TableWriter(database, *kept.storage).write(kept.content, all, *kept.learner);
    transaction.commit();
}

} // namespace

fs::path place_of(const fs::path& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (!fs::exists(status))
        throw bad_input(fmt::format("there is no model file '{}'; 'sprig learn' makes one", path.string()));
    if (!fs::is_regular_file(status))
        throw bad_input(fmt::format("'{}' is not a file, so it cannot be a model", path.string()));
    fs::path place = fs::canonical(path, problem);
    return problem ? path : place;
}

Database open_existing(const fs::path& path, Database::Mode mode) {
    const fs::path place = place_of(path);
    roll_back(place);
    Database database(place, mode, path.string());
    (void)check_kind(database);
    check_size(database, place);
    return database;
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void create_file(const fs::path& path, const Kept& kept) {
    std::error_code problem;
    if (fs::exists(fs::symlink_status(path, problem)))
        throw usage_error(fmt::format("'{}' is there already; choose another name", path.string()));
    const fs::path parent = folder_of(path);
    if (!fs::is_directory(parent, problem))
        throw usage_error(fmt::format("there is no folder '{}' for the model file", parent.string()));
    data_detail::remove_abandoned(parent, temporary_prefix);
    const data_detail::TemporaryFolder folder(parent, temporary_prefix);
    const fs::path made = folder.path() / "model.sprig";
    Database database(made, Database::Mode::create);
    fill(database, kept);
    database.close();
    fs::create_hard_link(made, path, problem); // unlike renaming, never over a file that came in between
    if (problem) fs::rename(made, path, problem);
    if (problem) throw failed(fmt::format("'{}' cannot be made: {}", path.string(), problem.message()));
}

void check_integrity(Database& database) {
    const std::string found = database.ask_text("PRAGMA integrity_check(1)");
    if (found != "ok") database.refuse("SQLite's integrity check failed (" + found + ")");
}

Kept::Lesson replay_lesson(Kept& kept, std::string_view packed) {
    const LoggedLesson lesson = unpack_lesson(packed, front_end_schema(kept.learner->front_end()));
    Kept::Lesson learned = kept.learn(lesson.network, lesson.label);
    if (learned.sum != lesson.sum)
        throw bad_input("a lesson in its journal comes to something else here than where it was learned");
    return learned;
}

} // namespace sprig::store
