#include "store/open.h"

#include <system_error>

#include <fmt/format.h>

#include "data/files.h"
#include "sprig/error.h"
#include "store/packed_delta.h"
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

void fill(Database& database, const Content& content, const Codec& codec) {
    const std::unique_ptr<Learner> learner = codec.restore(content);
    database.run(fmt::format("PRAGMA page_size = {}; PRAGMA application_id = {}; PRAGMA user_version = {}",
                             page_size, application_id, schema_version)
                     .c_str());
    Transaction transaction(database, Transaction::Kind::write);
    create_schema(database, codec, *front_end_schema(learner->front_end()));
    Statement total(database, "INSERT INTO event_total VALUES(?, 0, ?)");
    for (std::size_t kind = 0; kind < event_kinds; ++kind) {
        const auto event = static_cast<UnitEvent::Kind>(kind);
        total.bind(1, name_of(event)).bind(2, meaning_of(event)).run();
    }
    Dirty all;
    for (const auto& [id, entry] : content.classes) all.classes.push_back(id);
    for (const auto& [lineage, entry] : content.units) all.units.push_back(lineage);
    TableWriter(database, codec).write(content, all, *learner);
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
    check_kind(database);
    check_size(database, place);
    return database;
}

void create_file(const fs::path& path, const Content& content, const Codec& codec) {
    std::error_code problem;
    if (fs::exists(fs::symlink_status(path, problem)))
        throw usage_error(fmt::format("'{}' is there already; choose another name", path.string()));
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(parent, problem))
        throw usage_error(fmt::format("there is no folder '{}' for the model file", parent.string()));
    const data_detail::TemporaryFolder folder(parent, ".sprig-new-");
    const fs::path made = folder.path() / "model.sprig";
    Database database(made, Database::Mode::create);
    fill(database, content, codec);
    database.close();
    fs::create_hard_link(made, path, problem); // unlike renaming, never over a file that came in between
    if (problem) fs::rename(made, path, problem);
    if (problem) throw failed(fmt::format("'{}' cannot be made: {}", path.string(), problem.message()));
}

std::vector<LoggedEvent> catch_up(Stored& stored) {
    std::vector<LoggedEvent> events;
    for (const std::string& packed : stored.journal) {
        Delta delta = unpack_delta(packed, stored.content, *stored.codec);
        for (const UnitEvent& event : delta.events) events.push_back({delta.lesson, event});
        (void)apply(stored.content, std::move(delta));
    }
    if (!stored.journal.empty()) stored.learner = stored.codec->restore(stored.content);
    return events;
}

} // namespace sprig::store
