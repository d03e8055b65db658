#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/store.h"
#include "store/early_writer.h"
#include "store/lock.h"
#include "store/open.h"
#include "store/packed_delta.h"

namespace sprig {

using namespace store;

namespace {

/// A lesson is written to the journal first, one row that is used again and again, and into the tables
/// later, many at once: after so many lessons or bytes, and when the file is closed.
constexpr std::int64_t journal_slots = 1024;
constexpr std::size_t journal_bytes = std::size_t{8} << 20;
/// Pages in the write-ahead log before they are moved to their places: 32 MB. What is no longer needed is
/// overwritten: where the nodes of single observations lay is nobody's business once it is learned.
constexpr const char* set_up = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA "
                               "cache_size = -32000; PRAGMA secure_delete = ON";

} // namespace

struct ModelFile::Impl {
    Impl(const std::filesystem::path& path, const Options& chosen);

    LearnReport learn(const Network& network, std::string_view label);
    void add_class(std::string_view label);
    void undo();
    [[nodiscard]] Delta last_inverse();
    void edit(Delta delta, const std::unordered_map<Lineage, Lineage>& names = {});
    void close();

    void require_usable() const;
    void commit_lesson(const Delta& delta);
    void take(Delta delta);
    void fold();
    void write_events();
    void write_undo();
    void rename_in_log(const std::unordered_map<Lineage, Lineage>& names);
    void rebuild();
    [[nodiscard]] ClassId require_class(std::string_view label) const;

    Options options;
    WriterLock lock;
    Database database;
    Stored stored;
    TableWriter writer;
    Statement begin;
    Statement commit;
    Statement put_journal;
    EarlyWriter early;

    Dirty dirty;
    std::deque<Delta> inverses; ///< of the latest lessons, the last one last; in the file as the tables are
    std::vector<LoggedEvent> events;
    std::int64_t slot = 0;
    std::size_t bytes = 0; ///< in the journal since it was folded
    bool broken = false;
    bool changed = false;
    bool shrunk = false; ///< something was to be forgotten for good
};

namespace {

Database open_for_writing(const std::filesystem::path& path, ModelFile::Durability durability) {
    Database database = open_existing(path, Database::Mode::write);
    const std::string order = database.ask_text("PRAGMA integrity_check(1)");
    if (order != "ok") database.refuse("its inner order is broken (" + order + ")");
    database.run(set_up);
    database.run(durability == ModelFile::Durability::power ? "PRAGMA synchronous = FULL"
                                                            : "PRAGMA synchronous = NORMAL");
    return database;
}

Stored read_stored(Database& database) {
    const Transaction transaction(database, Transaction::Kind::read);
    return read_tables(database);
}

} // namespace

ModelFile::Impl::Impl(const std::filesystem::path& path, const Options& chosen)
    : options(chosen), lock(place_of(path), path.string()),
      database(open_for_writing(path, chosen.durability)), stored(read_stored(database)),
      writer(database, *stored.codec), begin(database, "BEGIN IMMEDIATE"), commit(database, "COMMIT"),
      put_journal(database, "INSERT OR REPLACE INTO journal VALUES(?, ?, ?)"),
      early(place_of(path).string() + "-wal") {
    if (stored.journal.empty()) return;
    // The last program that learned into it did not get to close it.
    try {
        for (const std::string& packed : std::exchange(stored.journal, {}))
            take(unpack_delta(packed, stored.content, *stored.codec));
        rebuild();
    } catch (const Error& error) {
        database.refuse(error);
    }
    fold();
}

void ModelFile::Impl::require_usable() const {
    if (broken)
        throw failed(
            fmt::format("the model file '{}' could not be written before; open it again", database.name()));
}

LearnReport ModelFile::Impl::learn(const Network& network, std::string_view label) {
    require_usable();
    LearnReport report;
    try {
        report = stored.learner->learn(network, label);
    } catch (const Error& error) {
        broken = error.kind() == ErrorKind::failed; // otherwise nothing was changed
        throw;
    } catch (...) {
        broken = true;
        throw;
    }
    try {
        Delta delta;
        delta.lesson = stored.content.head.lessons + 1;
        delta.steps = stored.learner->steps();
        delta.events = report.events;
        stored.codec->describe_step(*stored.learner, report, label, stored.content, delta);
        commit_lesson(delta);
        take(std::move(delta));
        if (slot >= journal_slots || bytes >= journal_bytes) fold();
    } catch (...) {
        broken = true; // what is in memory may be ahead of what is in the file
        throw;
    }
    return report;
}

void ModelFile::Impl::commit_lesson(const Delta& delta) {
    const std::string packed = pack(delta, stored.content, *stored.codec);
    begin.run();
    try {
        put_journal.bind(1, slot).bind(2, static_cast<std::int64_t>(delta.lesson)).bind_blob(3, packed).run();
        commit.run();
    } catch (...) {
        try {
            database.run("ROLLBACK");
        } catch (const Error&) { // SQLite may have done so already
        }
        throw;
    }
    ++slot;
    bytes += packed.size();
    early.written(packed.size());
}

/// Makes a lesson part of what is known here.
void ModelFile::Impl::take(Delta delta) {
    changed = true;
    dirty.mark(delta);
    for (const UnitEvent& event : delta.events) events.push_back({delta.lesson, event});
    inverses.push_back(apply(stored.content, std::move(delta)));
    if (inverses.size() > options.undo) inverses.pop_front();
}

/// Makes the learner from what is known here.
void ModelFile::Impl::rebuild() {
    stored.learner = stored.codec->restore(stored.content);
    stored.content.head.steps = stored.learner->steps();
}

/// Brings the tables up to date. The journal's rows are left where they are: their lessons are older now than
/// what the tables hold.
void ModelFile::Impl::fold() {
    Transaction transaction(database, Transaction::Kind::write);
    writer.write(stored.content, dirty, *stored.learner);
    write_events();
    write_undo();
    transaction.commit();
    dirty.clear();
    events.clear();
    slot = 0;
    bytes = 0;
}

void ModelFile::Impl::write_events() {
    Statement put(database, "INSERT INTO event(lesson, kind, unit, target) VALUES(?, ?, ?, ?)");
    Statement count(database, "UPDATE event_total SET count = count + ? WHERE kind = ?");
    std::map<std::string_view, std::int64_t> totals;
    for (const LoggedEvent& logged : events) ++totals[name_of(logged.event.kind)];
    const std::size_t old = events.size() - std::min(events.size(), options.events);
    for (const LoggedEvent& logged : std::span(events).subspan(old)) {
        put.bind(1, static_cast<std::int64_t>(logged.lesson)).bind(2, name_of(logged.event.kind));
        put.bind(3, static_cast<std::int64_t>(logged.event.unit));
        if (logged.event.target) {
            put.bind(4, static_cast<std::int64_t>(*logged.event.target));
        } else {
            put.bind_null(4);
        }
        put.run();
    }
    for (const auto& [kind, number] : totals) count.bind(1, number).bind(2, kind).run();
    Statement(database, "DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?")
        .bind(1, static_cast<std::int64_t>(options.events))
        .run();
}

void ModelFile::Impl::write_undo() {
    Statement put(database, "INSERT OR REPLACE INTO undo VALUES(?, ?)");
    for (const Delta& inverse : inverses) {
        const std::string packed = pack(inverse);
        put.bind(1, static_cast<std::int64_t>(inverse.lesson + 1)).bind_blob(2, packed).run();
    }
    Statement(database, "DELETE FROM undo WHERE lesson <= ?")
        .bind(1, static_cast<std::int64_t>(stored.content.head.lessons) -
                     static_cast<std::int64_t>(options.undo))
        .run();
}

void ModelFile::Impl::add_class(std::string_view label) {
    require_usable();
    if (stored.content.class_called(label)) return;
    if (slot > 0) fold();
    stored.learner->add_class(label);
    broken = true; // until it is done
    Content named;
    stored.codec->describe(*stored.learner, named);
    Delta delta{stored.content.head.lessons, stored.content.head.steps, {}, {}, {}};
    delta.classes.emplace_back(stored.content.next_class(), named.classes.at(*named.class_called(label)));
    edit(std::move(delta));
}

/// A change that is not a lesson, and ends what can be undone. Units may have got other names by it.
void ModelFile::Impl::edit(Delta delta, const std::unordered_map<Lineage, Lineage>& names) {
    broken = true; // until it is done
    changed = true;
    dirty.mark(delta);
    (void)apply(stored.content, std::move(delta));
    rebuild();
    inverses.clear();
    Transaction transaction(database, Transaction::Kind::write);
    writer.write(stored.content, dirty, *stored.learner);
    rename_in_log(names);
    database.run("DELETE FROM undo; DELETE FROM journal");
    transaction.commit();
    dirty.clear();
    broken = false;
}

/// What takes the last lesson back: it is known, or in the file.
Delta ModelFile::Impl::last_inverse() {
    if (!inverses.empty()) {
        Delta inverse = std::move(inverses.back());
        inverses.pop_back();
        return inverse;
    }
    Statement select(database, "SELECT content FROM undo WHERE lesson = ?");
    if (!select.bind(1, static_cast<std::int64_t>(stored.content.head.lessons)).step())
        throw usage_error(fmt::format("'{}' holds no lesson that can be undone", database.name()));
    Delta inverse = unpack_delta(select.blob(0), stored.content, *stored.codec);
    select.reset();
    return inverse;
}

void ModelFile::Impl::undo() {
    require_usable();
    if (slot > 0) fold();
    const auto lesson = static_cast<std::int64_t>(stored.content.head.lessons);
    Delta inverse = last_inverse();
    broken = true; // until it is done
    changed = true;
    Statement count(database, "UPDATE event_total SET count = count - 1 WHERE kind = ? AND count > 0");
    dirty.mark(inverse);
    const Delta redone = apply(stored.content, std::move(inverse));
    rebuild();
    Transaction transaction(database, Transaction::Kind::write);
    writer.write(stored.content, dirty, *stored.learner);
    for (const UnitEvent& event : redone.events) count.bind(1, name_of(event.kind)).run();
    Statement(database, "DELETE FROM event WHERE lesson = ?").bind(1, lesson).run();
    Statement(database, "DELETE FROM undo WHERE lesson = ?").bind(1, lesson).run();
    database.run("DELETE FROM journal");
    transaction.commit();
    dirty.clear();
    broken = false;
}

void ModelFile::Impl::rename_in_log(const std::unordered_map<Lineage, Lineage>& names) {
    std::vector<std::pair<std::int64_t, Lineage>> renamed;
    Statement select(database, "SELECT id, unit FROM event");
    while (select.step()) {
        const auto found = names.find(static_cast<Lineage>(select.integer(1)));
        if (found != names.end()) renamed.emplace_back(select.integer(0), found->second);
    }
    Statement put(database, "UPDATE event SET unit = ? WHERE id = ?");
    for (const auto& [id, unit] : renamed) put.bind(1, static_cast<std::int64_t>(unit)).bind(2, id).run();
}

ClassId ModelFile::Impl::require_class(std::string_view label) const {
    const std::optional<ClassId> id = stored.content.class_called(label);
    if (!id) throw usage_error(fmt::format("'{}' has no class '{}'", database.name(), label));
    return *id;
}

void ModelFile::Impl::close() {
    if (!broken && slot > 0) fold();
    // Also what somebody left who was killed when the tables had it already.
    if (!broken && (changed || database.ask("SELECT EXISTS(SELECT 1 FROM journal)") != 0)) {
        database.run("DELETE FROM journal");
        const std::int64_t pages = database.ask("PRAGMA page_count");
        if (shrunk || 4 * database.ask("PRAGMA freelist_count") > pages) database.run("VACUUM");
    }
    // One file, that can be read where nothing can be written. Somebody may be reading it just now: then it
    // stays as it is, which is as good.
    try {
        database.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
    } catch (const Error&) {
    }
}

ModelFile::ModelFile(const std::filesystem::path& path) : ModelFile(path, Options()) {}
ModelFile::ModelFile(const std::filesystem::path& path, const Options& options)
    : impl_(std::make_unique<Impl>(path, options)) {}

ModelFile::~ModelFile() {
    try {
        close();
    } catch (...) { // whoever wants to know calls `close`
    }
}

const Learner& ModelFile::learner() const {
    return *impl_->stored.learner;
}

std::uint64_t ModelFile::lessons() const {
    return impl_->stored.content.head.lessons;
}

LearnReport ModelFile::learn(const Network& network, std::string_view label) {
    return impl_->learn(network, label);
}

void ModelFile::add_class(std::string_view label) {
    impl_->add_class(label);
}

void ModelFile::undo() {
    impl_->undo();
}

void ModelFile::rename_class(std::string_view label, std::string_view new_label) {
    Impl& i = *impl_;
    i.require_usable();
    if (i.slot > 0) i.fold();
    const ClassId id = i.require_class(label);
    if (new_label.empty()) throw usage_error("a class needs a label that is not empty");
    if (i.stored.content.class_called(new_label))
        throw usage_error(fmt::format("'{}' has a class '{}' already", i.database.name(), new_label));
    ClassEntry entry = i.stored.content.classes.at(id);
    const std::unordered_map<Lineage, Lineage> names =
        i.stored.codec->renamed(entry.label, new_label, entry.packed);
    entry.label = new_label;
    Delta delta{i.stored.content.head.lessons, i.stored.content.head.steps, {}, {}, {}};
    delta.classes.emplace_back(id, std::move(entry));
    for (const auto& [lineage, unit] : i.stored.content.units) {
        const auto renamed = names.find(lineage);
        if (unit.label != id || renamed == names.end()) continue;
        delta.units.emplace_back(lineage, std::nullopt);
        delta.units.emplace_back(renamed->second, unit);
    }
    i.edit(std::move(delta), names);
}

void ModelFile::forget_class(std::string_view label) {
    Impl& i = *impl_;
    i.require_usable();
    if (i.slot > 0) i.fold();
    const ClassId id = i.require_class(label);
    Delta delta{i.stored.content.head.lessons, i.stored.content.head.steps, {}, {}, {}};
    delta.classes.emplace_back(id, std::nullopt);
    for (const auto& [lineage, entry] : i.stored.content.units) {
        if (entry.label == id) delta.units.emplace_back(lineage, std::nullopt);
    }
    i.shrunk = true;
    i.edit(std::move(delta));
}

void ModelFile::close() {
    if (impl_ == nullptr) return;
    const std::unique_ptr<Impl> closing = std::move(impl_);
    closing->close();
}

} // namespace sprig
