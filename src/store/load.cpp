#include <algorithm>
#include <utility>

#include "sprig/error.h"
#include "sprig/store.h"
#include "store/bytes_form.h"
#include "store/open.h"
#include "store/schema.h"

namespace sprig {

using namespace store;

void store::read_log(Database& database, StoredModel& model) {
    Statement totals(database, "SELECT kind, count FROM event_total");
    while (totals.step()) {
        (void)event_kind_called(totals.text(0));
        model.facts.event_totals[totals.text(0)] = static_cast<std::uint64_t>(totals.integer(1));
    }
    Statement events(database, "SELECT lesson, kind, unit, target, id FROM event ORDER BY id");
    std::int64_t last = 0;
    while (events.step()) {
        // A damaged index could lead to one row again and again.
        if (events.integer(4) <= std::exchange(last, events.integer(4)))
            throw bad_input("its log is not in order");
        LoggedEvent& logged = model.events.emplace_back();
        logged.lesson = static_cast<std::uint64_t>(events.integer(0));
        logged.event.kind = event_kind_called(events.text(1));
        logged.event.unit = static_cast<Lineage>(events.integer(2));
        if (!events.is_null(3)) logged.event.target = static_cast<Lineage>(events.integer(3));
    }
}

namespace {

/// Learns the journal's lessons again; `log` is told what happened in them.
void catch_up(Stored& stored, StoredModel* log = nullptr) {
    for (const std::string& packed : stored.journal) {
        const Kept::Lesson lesson = replay_lesson(stored.kept, packed);
        if (log == nullptr) continue;
        for (const UnitEvent& event : lesson.report.events) {
            log->events.push_back({stored.kept.content.head.lessons, event});
            ++log->facts.event_totals[std::string(name_of(event.kind))];
        }
    }
}

StoredModel read_all(Database& database) {
    const Transaction transaction(database, Transaction::Kind::read);
    Stored stored = read_tables(database);
    StoredModel model;
    try {
        model.facts = facts_of(stored.kept.content.head);
        read_log(database, model);
        catch_up(stored, &model);
    } catch (const Error& error) {
        database.refuse(error);
    }
    model.facts.lessons = stored.kept.content.head.lessons;
    model.facts.written_by = stored.written_by;
    if (database.ask("PRAGMA user_version") == schema_version)
        model.facts.undoable = static_cast<std::uint64_t>(database.ask("SELECT count(*) FROM undo"));
    // Of lessons that nobody got to close the file after, as many as are kept when it is opened again.
    if (!stored.journal.empty()) {
        model.facts.undoable =
            std::min<std::uint64_t>(model.facts.undoable + stored.journal.size(), ModelFile::Options().undo);
    }
    model.facts.bytes =
        static_cast<std::uint64_t>(database.ask("PRAGMA page_count") * database.ask("PRAGMA page_size"));
    model.samples = samples_of(stored.kept);
    model.learner = std::move(stored.kept.learner);
    return model;
}

std::string in_quotes(const std::filesystem::path& path) {
    return "'" + path.string() + "'";
}

/// A file that holds a model as bytes: it has no log.
StoredModel read_bytes(const std::filesystem::path& path) {
    const std::string bytes = read_bytes_file(path);
    StoredModel model;
    Kept kept = from_bytes(bytes, in_quotes(path));
    model.facts = facts_of(kept.content.head);
    model.facts.bytes = bytes.size();
    model.samples = samples_of(kept);
    model.learner = std::move(kept.learner);
    return model;
}

} // namespace

namespace store {

Kept read_kept(const std::filesystem::path& path) {
    if (is_bytes_file(path)) return from_bytes(read_bytes_file(path), in_quotes(path));
    Database database = open_existing(path, Database::Mode::read);
    const Transaction transaction(database, Transaction::Kind::read);
    Stored stored = read_tables(database);
    try {
        catch_up(stored);
    } catch (const Error& error) {
        database.refuse(error);
    }
    return std::move(stored.kept);
}

} // namespace store

StoredModel load_model(const std::filesystem::path& path) {
    if (is_bytes_file(path)) return read_bytes(path);
    Database database = open_existing(path, Database::Mode::read);
    return read_all(database);
}

void verify_model(const std::filesystem::path& path) {
    if (is_bytes_file(path)) {
        (void)read_bytes(path);
        return;
    }
    Database database = open_existing(path, Database::Mode::read);
    check_integrity(database);
    (void)read_all(database);
}

void save_model(const Learner& learner, const std::filesystem::path& path, std::string_view preset) {
    create_file(path, Kept(learner, std::string(preset)));
}

void merge_models(const std::filesystem::path& first, const std::filesystem::path& second,
                  const std::filesystem::path& result) {
    Kept all = read_kept(first);
    (void)all.change(all.merging(read_kept(second)));
    create_file(result, all);
}

std::string_view event_name(UnitEvent::Kind kind) {
    return name_of(kind);
}

} // namespace sprig
