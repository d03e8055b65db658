#include <algorithm>
#include <utility>

#include "sprig/error.h"
#include "sprig/store.h"
#include "store/events.h"
#include "store/open.h"
#include "store/schema.h"

namespace sprig::store {

void read_log(Database& database, StoredModel& model) {
    Statement totals(database, "SELECT kind, count FROM event_total");
    while (totals.step()) {
        (void)parse_event_kind(totals.text(0));
        model.facts.event_totals[totals.text(0)] = static_cast<std::uint64_t>(totals.integer(1));
    }
    Statement events(database, "SELECT lesson, kind, unit, target, id FROM event ORDER BY id");
    std::int64_t last = 0;
    while (events.step()) {
        // A damaged index can return a row more than once.
        if (events.integer(4) <= std::exchange(last, events.integer(4)))
            throw bad_input("its log is out of order");
        LoggedEvent& logged = model.events.emplace_back();
        logged.lesson = static_cast<std::uint64_t>(events.integer(0));
        logged.event.kind = parse_event_kind(events.text(1));
        logged.event.unit = static_cast<Lineage>(events.integer(2));
        if (!events.is_null(3)) logged.event.target = static_cast<Lineage>(events.integer(3));
    }
}

namespace {

/// Learns the journal's lessons again, and adds their events to `log` if there is one.
void replay_journal(FileContent& file, StoredModel* log = nullptr) {
    for (const std::string& packed : file.journal) {
        const Lesson lesson = replay_lesson(file.state, packed);
        if (log == nullptr) continue;
        for (const UnitEvent& event : lesson.report.events) {
            log->events.push_back({file.state.header.lessons, event});
            ++log->facts.event_totals[std::string(event_name(event.kind))];
        }
    }
}

StoredModel read_all(Database& database) {
    const Transaction transaction(database, Transaction::Kind::read);
    FileContent file = read_tables(database);
    StoredModel model;
    try {
        model.facts = facts_of(file.state.header);
        read_log(database, model);
        replay_journal(file, &model);
    } catch (const Error& error) {
        database.refuse(error);
    }
    model.facts.lessons = file.state.header.lessons;
    model.facts.written_by = file.written_by;
    if (database.query_integer("PRAGMA user_version") == schema_version)
        model.facts.undoable =
            static_cast<std::uint64_t>(database.query_integer("SELECT count(*) FROM undo"));
    // The lessons of a journal can be undone as well, once the file has been opened for learning.
    if (!file.journal.empty()) {
        model.facts.undoable =
            std::min<std::uint64_t>(model.facts.undoable + file.journal.size(), ModelFile::Options().undo);
    }
    model.facts.bytes = static_cast<std::uint64_t>(database.query_integer("PRAGMA page_count") *
                                                   database.query_integer("PRAGMA page_size"));
    model.samples = samples_of(file.state);
    model.learner = std::move(file.state.learner);
    return model;
}

} // namespace

ModelState read_file_state(const std::filesystem::path& path) {
    Database database = open_existing(path, Database::Mode::read);
    const Transaction transaction(database, Transaction::Kind::read);
    FileContent file = read_tables(database);
    try {
        replay_journal(file);
    } catch (const Error& error) {
        database.refuse(error);
    }
    return std::move(file.state);
}

StoredModel load_file(const std::filesystem::path& path) {
    Database database = open_existing(path, Database::Mode::read);
    return read_all(database);
}

void verify_file(const std::filesystem::path& path) {
    Database database = open_existing(path, Database::Mode::read);
    check_integrity(database);
    (void)read_all(database);
}

} // namespace sprig::store
