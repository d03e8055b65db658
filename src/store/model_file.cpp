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

/// The input of a lesson is written to one of these rows of the journal. The tables are brought up to date
/// after this number of lessons or bytes, and when the file is closed.
constexpr std::int64_t journal_slots = 1024;
constexpr std::size_t journal_bytes = std::size_t{8} << 20;
/// The write-ahead log is checkpointed after 4,000 pages, 32 MB. Deleted content is overwritten, so that no
/// single observation stays in the file.
constexpr const char* setup_sql = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA "
                                  "cache_size = -32000; PRAGMA secure_delete = ON";

} // namespace

struct ModelFile::Impl {
    Impl(const std::filesystem::path& path, const Options& chosen);

    LearnReport learn(const Network& network, std::string_view label);
    void learn_all(std::span<const NetworkSample> samples, std::size_t threads);
    void add_class(std::string_view label);
    void rename_class(std::string_view label, std::string_view new_label);
    void forget_class(std::string_view label);
    void undo();
    void close();

    [[nodiscard]] ModelHeader& header() { return state.header; }
    [[nodiscard]] std::string name() const { return fmt::format("'{}'", database.name()); }
    void begin_edit();
    void edit(Delta delta, const std::unordered_map<Lineage, Lineage>& names = {});
    template <typename Work>
    [[nodiscard]] auto learning(const Work& work);
    void log_lesson(const Network& network, std::string_view label, std::uint64_t number,
                    std::uint64_t digest);
    void record(Lesson lesson);
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
    ModelState state;
    std::optional<std::string> notice;
    std::unique_ptr<TableWriter> writer;
    std::unique_ptr<Statement> put_journal;

    DirtySet dirty;
    std::deque<learner::Inverse> inverses; ///< of the latest lessons, newest last
    std::vector<LoggedEvent> events;
    std::int64_t slot = 0;
    std::size_t bytes = 0; ///< written to the journal since the last checkpoint
    bool broken = false;   ///< the file may be behind the state in memory
    bool changed = false;
    bool shrunk = false; ///< a class was removed: its content must not stay in free pages
};

namespace {

Database open_for_writing(const std::filesystem::path& path, ModelFile::Durability durability) {
    Database database = open_existing(path, Database::Mode::write);
    check_integrity(database);
    database.run(setup_sql);
    database.run(durability == ModelFile::Durability::power ? "PRAGMA synchronous = FULL"
                                                            : "PRAGMA synchronous = NORMAL");
    return database;
}

std::filesystem::path require_database(const std::filesystem::path& path) {
    if (is_bytes_file(path)) {
        throw usage_error(fmt::format("'{0}' is in the bytes form, which can be read but not learned into; "
                                      "'sprig export {0} --to file -o NEW.sprig' makes a model file of it",
                                      path.string()));
    }
    return resolve_path(path);
}

} // namespace

ModelFile::Impl::Impl(const std::filesystem::path& path, const Options& chosen)
    : options(chosen), lock(require_database(path), path.string()),
      database(open_for_writing(path, chosen.durability)) {
    data_detail::remove_abandoned(folder_of(resolve_path(path)), temporary_prefix);
    std::vector<std::string> journal;
    {
        Transaction transaction(database, Transaction::Kind::read);
        FileContent file = read_tables(database);
        state = std::move(file.state);
        journal = std::move(file.journal);
        transaction.commit();
    }
    if (database.query_integer("PRAGMA user_version") != schema_version) {
        Transaction transaction(database, Transaction::Kind::write);
        migrate(database);
        transaction.commit();
    }
    const auto method = static_cast<std::uint64_t>(state.learner->version());
    if (header().method != method) {
        notice = fmt::format("'{}' was learned with method {} of {} and continues with method {}",
                             database.name(), header().method, header().learner, method);
        header().method = method;
    }
    writer = std::make_unique<TableWriter>(database, *state.storage);
    put_journal = std::make_unique<Statement>(database, "INSERT OR REPLACE INTO journal VALUES(?, ?, ?, ?)");
    replay(journal);
}

/// Replays the journal of a file that was not closed.
void ModelFile::Impl::replay(const std::vector<std::string>& journal) {
    if (journal.empty()) return;
    try {
        for (const std::string& packed : journal) record(replay_lesson(state, packed));
    } catch (const Error& error) {
        database.refuse(error);
    }
    checkpoint();
}

/// Changes the learner. If that fails, the state in memory may be ahead of the file.
template <typename Work>
auto ModelFile::Impl::learning(const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        // Errors of other kinds leave the learner unchanged.
        broken = error.kind() == ErrorKind::failed;
        throw;
    } catch (...) {
        broken = true;
        throw;
    }
}

LearnReport ModelFile::Impl::learn(const Network& network, std::string_view label) {
    Lesson lesson = learning([&] { return state.learn(network, label); });
    try {
        database.leave_transaction();
        log_lesson(network, label, header().lessons, lesson.digest);
        LearnReport report = lesson.report;
        record(std::move(lesson));
        if (slot >= journal_slots || bytes >= journal_bytes) checkpoint();
        return report;
    } catch (...) {
        broken = true; // the state in memory may be ahead of the file
        throw;
    }
}

/// The lessons of a part are one transaction. As with single lessons, a checkpoint follows when the journal
/// is full.
void ModelFile::Impl::learn_all(std::span<const NetworkSample> samples, std::size_t threads) {
    if (!state.entries->learns_in_threads()) {
        for (const auto& [network, label] : samples) (void)learn(*network, label);
        return;
    }
    while (!samples.empty()) {
        const auto room = static_cast<std::size_t>(journal_slots - slot);
        const std::span<const NetworkSample> part = samples.first(std::min(samples.size(), room));
        samples = samples.subspan(part.size());
        std::uint64_t number = header().lessons;
        std::vector<Lesson> lessons = learning([&] { return state.learn_all(part, threads); });
        try {
            database.leave_transaction();
            Transaction transaction(database, Transaction::Kind::write);
            for (std::size_t i = 0; i < part.size(); ++i)
                log_lesson(*part[i].network, part[i].label, ++number, lessons[i].digest);
            transaction.commit();
            for (Lesson& lesson : lessons) record(std::move(lesson));
            if (slot >= journal_slots || bytes >= journal_bytes) checkpoint();
        } catch (...) {
            broken = true; // the state in memory may be ahead of the file
            throw;
        }
    }
}

/// Writes one row to the journal. Outside of a transaction it is one of its own.
void ModelFile::Impl::log_lesson(const Network& network, std::string_view label, std::uint64_t number,
                                 std::uint64_t digest) {
    const std::string packed = pack_lesson(network, label, digest);
    put_journal->bind(1, slot).bind(2, static_cast<std::int64_t>(number));
    put_journal->bind(3, std::int64_t{state.learner->version()}).bind_blob(4, packed).run();
    ++slot;
    bytes += packed.size();
}

/// Records what a lesson changed, for the next checkpoint.
void ModelFile::Impl::record(Lesson lesson) {
    changed = true;
    dirty.mark(lesson.inverse.outline());
    const std::uint64_t number = lesson.inverse.outline().lesson + 1;
    for (const UnitEvent& event : lesson.report.events) events.push_back({number, event});
    inverses.push_back(std::move(lesson.inverse));
    if (inverses.size() > options.undo) inverses.pop_front();
}

/// Brings the tables up to date. The journal's rows stay, and are ignored: their lessons are not newer than
/// the tables.
void ModelFile::Impl::checkpoint() {
    Transaction transaction(database, Transaction::Kind::write);
    writer->write(state, dirty);
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
    for (const LoggedEvent& logged : events) ++totals[event_name(logged.event.kind)];
    const std::size_t old = events.size() - std::min(events.size(), options.events);
    for (const LoggedEvent& logged : std::span(events).subspan(old)) {
        put.bind(1, static_cast<std::int64_t>(logged.lesson)).bind(2, event_name(logged.event.kind));
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
    // Each inverse is packed as the difference from the state that it is applied to: the content with the
    // inverses of all later lessons applied.
    std::unordered_map<Lineage, const UnitEntry*> undone;
    const auto unit_before = [&](Lineage lineage) -> std::optional<UnitEntry> {
        const auto found = undone.find(lineage);
        if (found == undone.end()) return state.unit_entry(lineage);
        if (found->second == nullptr) return {};
        return *found->second;
    };
    for (std::size_t i = inverses.size(); i > 0; --i) {
        const Delta& inverse = inverses[i - 1].complete();
        const std::string packed = pack(inverse, unit_before);
        put.bind(1, static_cast<std::int64_t>(inverse.lesson + 1)).bind_blob(2, packed).run();
        for (const auto& [lineage, entry] : inverse.units) undone[lineage] = entry ? &*entry : nullptr;
    }
    Statement(database, "DELETE FROM undo WHERE lesson <= ?")
        .bind(1, static_cast<std::int64_t>(header().lessons) - static_cast<std::int64_t>(options.undo))
        .run();
}

/// Called before every change that is not a lesson.
void ModelFile::Impl::begin_edit() {
    if (broken) {
        throw failed(
            fmt::format("an earlier write to the model file '{}' failed; open it again", database.name()));
    }
    if (slot > 0) checkpoint();
}

void ModelFile::Impl::add_class(std::string_view label) {
    begin_edit();
    if (!state.entries->find_class(label)) edit(state.add_class_delta(label));
}

void ModelFile::Impl::rename_class(std::string_view label, std::string_view new_label) {
    begin_edit();
    ModelState::ClassRename rename = state.rename_class_delta(label, new_label, name(), units_in_log());
    edit(std::move(rename.delta), rename.units);
}

void ModelFile::Impl::forget_class(std::string_view label) {
    begin_edit();
    Delta delta = state.forget_class_delta(label, name());
    shrunk = true;
    edit(std::move(delta));
}

/// Applies a change that is not a lesson, and drops the undo data. `names`: old to new lineages of units.
void ModelFile::Impl::edit(Delta delta, const std::unordered_map<Lineage, Lineage>& names) {
    broken = true; // until the change is complete
    changed = true;
    dirty.mark(delta);
    (void)state.change(std::move(delta));
    inverses.clear();
    Transaction transaction(database, Transaction::Kind::write);
    writer->write(state, dirty);
    rename_in_log(names);
    database.run("DELETE FROM undo; DELETE FROM journal");
    transaction.commit();
    dirty.clear();
    broken = false;
}

/// The inverse of the last lesson, from memory or from the file.
Delta ModelFile::Impl::last_inverse() {
    if (!inverses.empty()) {
        Delta inverse = std::move(inverses.back().complete());
        inverses.pop_back();
        return inverse;
    }
    Statement select(database, "SELECT content FROM undo WHERE lesson = ?");
    if (!select.bind(1, static_cast<std::int64_t>(header().lessons)).step())
        throw usage_error(fmt::format("'{}' has no lesson that can be undone", database.name()));
    Delta inverse =
        unpack_delta(select.blob(0), [this](Lineage lineage) { return state.unit_entry(lineage); });
    select.reset();
    return inverse;
}

void ModelFile::Impl::undo() {
    begin_edit();
    const auto lesson = static_cast<std::int64_t>(header().lessons);
    Delta inverse = last_inverse();
    broken = true; // until the change is complete
    changed = true;
    Statement count(database, "UPDATE event_total SET count = count - 1 WHERE kind = ? AND count > 0");
    dirty.mark(inverse);
    const Delta redone = state.change(std::move(inverse));
    Transaction transaction(database, Transaction::Kind::write);
    writer->write(state, dirty);
    for (const UnitEvent& event : redone.events) count.bind(1, event_name(event.kind)).run();
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

/// The event log of the file and the events since the last checkpoint.
StoredModel ModelFile::Impl::log() {
    StoredModel log;
    read_log(database, log);
    for (const LoggedEvent& logged : events) {
        log.events.push_back(logged);
        ++log.facts.event_totals[std::string(event_name(logged.event.kind))];
    }
    return log;
}

void ModelFile::Impl::close() {
    if (!broken && slot > 0) checkpoint();
    // A killed program may have left a journal whose lessons are all in the tables.
    if (!broken && (changed || database.query_integer("SELECT EXISTS(SELECT 1 FROM journal)") != 0)) {
        database.run("DELETE FROM journal");
        const std::int64_t pages = database.query_integer("PRAGMA page_count");
        if (shrunk || 4 * database.query_integer("PRAGMA freelist_count") > pages) database.run("VACUUM");
    }
    // Leaves a single file, which can be read from a read-only folder. If a reader is active, this fails and
    // the write-ahead log stays, which is harmless.
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
    } catch (...) { // `close` reports errors
    }
}

const Learner& ModelFile::learner() const {
    return *impl_->state.learner;
}

std::uint64_t ModelFile::lessons() const {
    return impl_->header().lessons;
}

const std::optional<std::string>& ModelFile::notice() const {
    return impl_->notice;
}

ModelFacts ModelFile::facts() const {
    ModelFacts facts = facts_of(impl_->header());
    const StoredModel log = impl_->log();
    facts.event_totals = log.facts.event_totals;
    facts.written_by = impl_->database.query_text("SELECT value FROM model WHERE key = 'written_by'");
    const auto stored = static_cast<std::size_t>(impl_->database.query_integer("SELECT count(*) FROM undo"));
    const auto pending = static_cast<std::size_t>(impl_->slot);
    facts.undoable = std::min(impl_->options.undo, stored + pending);
    facts.bytes = static_cast<std::uint64_t>(impl_->database.query_integer("PRAGMA page_count") *
                                             impl_->database.query_integer("PRAGMA page_size"));
    return facts;
}

std::vector<LoggedEvent> ModelFile::events() const {
    return impl_->log().events;
}

void ModelFile::merge(const Learner& other) {
    impl_->begin_edit();
    impl_->edit(impl_->state.merge_delta(ModelState(other, {})));
}

const ModelState& store::state_of(const ModelFile& file) {
    return file.impl_->state;
}

ModelState store::take_state(ModelFile& file) {
    file.impl_->close(); // if this throws, the file stays open
    ModelState state = std::move(file.impl_->state);
    file.impl_.reset();
    return state;
}

LearnReport ModelFile::learn(const Network& network, std::string_view label) {
    if (impl_->broken) impl_->begin_edit(); // throws
    return impl_->learn(network, label);
}

void ModelFile::learn_all(std::span<const NetworkSample> samples, std::size_t threads) {
    if (impl_->broken) impl_->begin_edit(); // throws
    impl_->learn_all(samples, threads);
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
