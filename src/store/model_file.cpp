#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "data/files.h"
#include "sprig/error.h"
#include "sprig/store.h"
#include "store/bytes_form.h"
#include "store/lock.h"
#include "store/open.h"
#include "store/packed.h"
#include "store/schema.h"

namespace sprig {

using namespace store;

namespace {

/// The input of a lesson is written to the journal first, into one of these rows; the tables follow later,
/// many lessons at once: after this number of lessons or bytes, and when the file is closed.
constexpr std::int64_t journal_slots = 1024;
constexpr std::size_t journal_bytes = std::size_t{8} << 20;
/// Pages in the write-ahead log before they are moved to their places: 32 MB. What is no longer needed is
/// overwritten: nothing of a single observation is to stay once it is learned.
constexpr const char* set_up = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA "
                               "cache_size = -32000; PRAGMA secure_delete = ON";

} // namespace

struct ModelFile::Impl {
    Impl(const std::filesystem::path& path, const Options& chosen);

    LearnReport learn(const Network& network, std::string_view label);
    void add_class(std::string_view label);
    void rename_class(std::string_view label, std::string_view new_label);
    void forget_class(std::string_view label);
    void undo();
    void close();

    [[nodiscard]] Content& content() { return kept.content; }
    [[nodiscard]] std::string name() const { return fmt::format("'{}'", database.name()); }
    void begin_edit();
    void edit(Delta delta, const std::unordered_map<Lineage, Lineage>& names = {});
    void log_lesson(const Network& network, std::string_view label, std::uint64_t sum);
    void take(Kept::Lesson lesson);
    void replay(const std::vector<std::string>& journal);
    void checkpoint();
    void write_events();
    void write_undo();
    [[nodiscard]] Delta last_inverse();
    [[nodiscard]] StoredModel log();
    [[nodiscard]] std::vector<Lineage> units_in_log();
    void rename_in_log(const std::unordered_map<Lineage, Lineage>& names);

    Options options;
    WriterLock lock;
    Database database;
    Kept kept;
    std::optional<std::string> notice;
    std::unique_ptr<TableWriter> writer;
    std::unique_ptr<Statement> put_journal;

    Dirty dirty;
    std::deque<Delta> inverses; ///< of the latest lessons, the last one last
    std::vector<LoggedEvent> events;
    std::int64_t slot = 0;
    std::size_t bytes = 0; ///< in the journal since the last checkpoint
    bool broken = false;
    bool changed = false;
    bool shrunk = false; ///< something was to be forgotten for good
};

namespace {

Database open_for_writing(const std::filesystem::path& path, ModelFile::Durability durability) {
    Database database = open_existing(path, Database::Mode::write);
    check_integrity(database);
    database.run(set_up);
    database.run(durability == ModelFile::Durability::power ? "PRAGMA synchronous = FULL"
                                                            : "PRAGMA synchronous = NORMAL");
    return database;
}

std::filesystem::path require_database(const std::filesystem::path& path) {
    if (is_bytes_file(path)) {
        throw usage_error(fmt::format("'{0}' holds a model as bytes, which can be read but not learned into; "
                                      "'sprig export {0} --to file -o NEW.sprig' makes a model file of it",
                                      path.string()));
    }
    return place_of(path);
}

} // namespace

ModelFile::Impl::Impl(const std::filesystem::path& path, const Options& chosen)
    : options(chosen), lock(require_database(path), path.string()),
      database(open_for_writing(path, chosen.durability)) {
    data_detail::remove_abandoned(folder_of(place_of(path)), temporary_prefix);
    std::vector<std::string> journal;
    {
        const Transaction transaction(database, Transaction::Kind::read);
        Stored stored = read_tables(database);
        kept = std::move(stored.kept);
        journal = std::move(stored.journal);
    }
    if (database.ask("PRAGMA user_version") != schema_version) {
        Transaction transaction(database, Transaction::Kind::write);
        migrate(database);
        transaction.commit();
    }
    const auto method = static_cast<std::uint64_t>(kept.learner->version());
    if (content().head.method != method) {
        notice = fmt::format("'{}' was learned by method {} of {} and learns on by method {}",
                             database.name(), content().head.method, content().head.learner, method);
        content().head.method = method;
    }
    writer = std::make_unique<TableWriter>(database, *kept.storage);
    put_journal = std::make_unique<Statement>(database, "INSERT OR REPLACE INTO journal VALUES(?, ?, ?, ?)");
    replay(journal);
}

/// The last program that learned into the file did not get to close it.
void ModelFile::Impl::replay(const std::vector<std::string>& journal) {
    if (journal.empty()) return;
    try {
        for (const std::string& packed : journal) take(replay_lesson(kept, packed));
    } catch (const Error& error) {
        database.refuse(error);
    }
    checkpoint();
}

LearnReport ModelFile::Impl::learn(const Network& network, std::string_view label) {
    Kept::Lesson lesson;
    try {
        lesson = kept.learn(network, label);
    } catch (const Error& error) {
        // Otherwise nothing was changed.
        broken = error.kind() == ErrorKind::failed;
        throw;
    } catch (...) {
        broken = true;
        throw;
    }
    try {
        log_lesson(network, label, lesson.sum);
        LearnReport report = lesson.report;
        take(std::move(lesson));
        if (slot >= journal_slots || bytes >= journal_bytes) checkpoint();
        return report;
    } catch (...) {
        broken = true; // what is in memory may be ahead of what is in the file
        throw;
    }
}

/// One row, written as a transaction of its own.
void ModelFile::Impl::log_lesson(const Network& network, std::string_view label, std::uint64_t sum) {
    const std::string packed = pack_lesson(network, label, sum);
    put_journal->bind(1, slot).bind(2, static_cast<std::int64_t>(content().head.lessons));
    put_journal->bind(3, std::int64_t{kept.learner->version()}).bind_blob(4, packed).run();
    ++slot;
    bytes += packed.size();
}

/// Notes what a lesson changed, for the tables, the log and for undoing it.
void ModelFile::Impl::take(Kept::Lesson lesson) {
    changed = true;
    dirty.mark(lesson.inverse);
    for (const UnitEvent& event : lesson.report.events) events.push_back({content().head.lessons, event});
    inverses.push_back(std::move(lesson.inverse));
    if (inverses.size() > options.undo) inverses.pop_front();
}

/// Brings the tables up to date. The journal's rows are left where they are: their lessons are older now than
/// what the tables hold.
void ModelFile::Impl::checkpoint() {
    Transaction transaction(database, Transaction::Kind::write);
    writer->write(content(), dirty, *kept.learner);
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
    // Each is packed as what differs from the state that it is applied to: the content, with those of later
    // lessons applied before.
    std::unordered_map<Lineage, const UnitEntry*> undone;
    const auto unit_before = [&](Lineage lineage) -> const UnitEntry* {
        if (const auto found = undone.find(lineage); found != undone.end()) return found->second;
        const auto known = content().units.find(lineage);
        return known == content().units.end() ? nullptr : &known->second;
    };
    for (auto inverse = inverses.rbegin(); inverse != inverses.rend(); ++inverse) {
        const std::string packed = pack(*inverse, unit_before);
        put.bind(1, static_cast<std::int64_t>(inverse->lesson + 1)).bind_blob(2, packed).run();
        for (const auto& [lineage, entry] : inverse->units) undone[lineage] = entry ? &*entry : nullptr;
    }
    Statement(database, "DELETE FROM undo WHERE lesson <= ?")
        .bind(1, static_cast<std::int64_t>(content().head.lessons) - static_cast<std::int64_t>(options.undo))
        .run();
}

/// Before anything that is not a lesson.
void ModelFile::Impl::begin_edit() {
    if (broken) {
        throw failed(
            fmt::format("the model file '{}' could not be written before; open it again", database.name()));
    }
    if (slot > 0) checkpoint();
}

void ModelFile::Impl::add_class(std::string_view label) {
    begin_edit();
    if (!content().class_called(label)) edit(kept.adding_class(label));
}

void ModelFile::Impl::rename_class(std::string_view label, std::string_view new_label) {
    begin_edit();
    Kept::Renaming renaming = kept.renaming_class(label, new_label, name(), units_in_log());
    edit(std::move(renaming.delta), renaming.units);
}

void ModelFile::Impl::forget_class(std::string_view label) {
    begin_edit();
    Delta delta = kept.forgetting_class(label, name());
    shrunk = true;
    edit(std::move(delta));
}

/// A change that is not a lesson, and ends what can be undone. Units may have got other names by it.
void ModelFile::Impl::edit(Delta delta, const std::unordered_map<Lineage, Lineage>& names) {
    broken = true; // until it is done
    changed = true;
    dirty.mark(delta);
    (void)kept.change(std::move(delta));
    inverses.clear();
    Transaction transaction(database, Transaction::Kind::write);
    writer->write(content(), dirty, *kept.learner);
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
    if (!select.bind(1, static_cast<std::int64_t>(content().head.lessons)).step())
        throw usage_error(fmt::format("'{}' holds no lesson that can be undone", database.name()));
    Delta inverse = unpack_delta(select.blob(0), content());
    select.reset();
    return inverse;
}

void ModelFile::Impl::undo() {
    begin_edit();
    const auto lesson = static_cast<std::int64_t>(content().head.lessons);
    Delta inverse = last_inverse();
    broken = true; // until it is done
    changed = true;
    Statement count(database, "UPDATE event_total SET count = count - 1 WHERE kind = ? AND count > 0");
    dirty.mark(inverse);
    const Delta redone = kept.change(std::move(inverse));
    Transaction transaction(database, Transaction::Kind::write);
    writer->write(content(), dirty, *kept.learner);
    for (const UnitEvent& event : redone.events) count.bind(1, name_of(event.kind)).run();
    Statement(database, "DELETE FROM event WHERE lesson = ?").bind(1, lesson).run();
    Statement(database, "DELETE FROM undo WHERE lesson = ?").bind(1, lesson).run();
    database.run("DELETE FROM journal");
    transaction.commit();
    dirty.clear();
    broken = false;
}

std::vector<Lineage> ModelFile::Impl::units_in_log() {
    std::vector<Lineage> units;
    Statement select(database, "SELECT DISTINCT unit FROM event");
    while (select.step()) units.push_back(static_cast<Lineage>(select.integer(0)));
    return units;
}

void ModelFile::Impl::rename_in_log(const std::unordered_map<Lineage, Lineage>& names) {
    Statement put(database, "UPDATE event SET unit = ? WHERE unit = ?");
    for (const auto& [old, renamed] : names)
        put.bind(1, static_cast<std::int64_t>(renamed)).bind(2, static_cast<std::int64_t>(old)).run();
}

/// What the file's log holds, and what is not there yet.
StoredModel ModelFile::Impl::log() {
    StoredModel log;
    read_log(database, log);
    for (const LoggedEvent& logged : events) {
        log.events.push_back(logged);
        ++log.facts.event_totals[std::string(name_of(logged.event.kind))];
    }
    return log;
}

void ModelFile::Impl::close() {
    if (!broken && slot > 0) checkpoint();
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
    } catch (...) { // call `close` to be told
    }
}

const Learner& ModelFile::learner() const {
    return *impl_->kept.learner;
}

std::uint64_t ModelFile::lessons() const {
    return impl_->content().head.lessons;
}

const std::optional<std::string>& ModelFile::notice() const {
    return impl_->notice;
}

ModelFacts ModelFile::facts() const {
    ModelFacts facts = facts_of(impl_->content().head);
    const StoredModel log = impl_->log();
    facts.event_totals = log.facts.event_totals;
    facts.written_by = impl_->database.ask_text("SELECT value FROM model WHERE key = 'written_by'");
    // Those that are in memory are not in the file yet, or are there, too.
    const auto stored = static_cast<std::size_t>(impl_->database.ask("SELECT count(*) FROM undo"));
    const std::size_t pending = static_cast<std::size_t>(impl_->slot);
    facts.undoable = std::min(impl_->options.undo, stored + pending);
    facts.bytes = static_cast<std::uint64_t>(impl_->database.ask("PRAGMA page_count") *
                                             impl_->database.ask("PRAGMA page_size"));
    return facts;
}

std::vector<LoggedEvent> ModelFile::events() const {
    return impl_->log().events;
}

void ModelFile::merge(const Learner& other) {
    impl_->begin_edit();
    impl_->edit(impl_->kept.merging(Kept(other, {})));
}

const Kept& store::kept_of(const ModelFile& file) {
    return file.impl_->kept;
}

Kept store::release(ModelFile& file) {
    file.impl_->close(); // if that fails, the file is still open, and the model there
    Kept kept = std::move(file.impl_->kept);
    file.impl_.reset();
    return kept;
}

LearnReport ModelFile::learn(const Network& network, std::string_view label) {
    if (impl_->broken) impl_->begin_edit(); // which says so
    return impl_->learn(network, label);
}

void ModelFile::add_class(std::string_view label) {
    impl_->add_class(label);
}

void ModelFile::undo() {
    impl_->undo();
}

void ModelFile::rename_class(std::string_view label, std::string_view new_label) {
    impl_->rename_class(label, new_label);
}

void ModelFile::forget_class(std::string_view label) {
    impl_->forget_class(label);
}

void ModelFile::close() {
    if (impl_ == nullptr) return;
    const std::unique_ptr<Impl> closing = std::move(impl_);
    closing->close();
}

} // namespace sprig
