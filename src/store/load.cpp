#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/store.h"
#include "store/open.h"

namespace sprig {

using namespace store;

namespace {

void read_log(Database& database, const std::vector<LoggedEvent>& latest, StoredModel& model) {
    Statement totals(database, "SELECT kind, count FROM event_total");
    while (totals.step()) {
        (void)event_kind_called(totals.text(0));
        model.facts.event_totals[totals.text(0)] = static_cast<std::uint64_t>(totals.integer(1));
    }
    Statement events(database, "SELECT lesson, kind, unit, target FROM event ORDER BY id");
    while (events.step()) {
        LoggedEvent& logged = model.events.emplace_back();
        logged.lesson = static_cast<std::uint64_t>(events.integer(0));
        logged.event.kind = event_kind_called(events.text(1));
        logged.event.unit = static_cast<Lineage>(events.integer(2));
        if (!events.is_null(3)) logged.event.target = static_cast<Lineage>(events.integer(3));
    }
    for (const LoggedEvent& logged : latest) {
        model.events.push_back(logged);
        ++model.facts.event_totals[std::string(name_of(logged.event.kind))];
    }
}

StoredModel read_all(Database& database) {
    const Transaction transaction(database, Transaction::Kind::read);
    Stored stored = read_tables(database);
    StoredModel model;
    try {
        read_log(database, catch_up(stored), model);
    } catch (const Error& error) {
        database.refuse(error);
    }
    const Head& head = stored.content.head;
    model.facts.learner = head.learner;
    model.facts.preset = head.preset;
    model.facts.parameters = head.parameters;
    model.facts.front_end = head.front_end;
    model.facts.written_by = database.ask_text("SELECT value FROM model WHERE key = 'written_by'");
    model.facts.method = head.method;
    model.facts.seed = head.seed;
    model.facts.lessons = head.lessons;
    model.facts.undoable = static_cast<std::uint64_t>(database.ask("SELECT count(*) FROM undo"));
    // Of lessons that nobody got to close the file after, as many as are kept when it is opened again.
    if (!stored.journal.empty()) {
        model.facts.undoable =
            std::min<std::uint64_t>(model.facts.undoable + stored.journal.size(), ModelFile::Options().undo);
    }
    model.facts.bytes =
        static_cast<std::uint64_t>(database.ask("PRAGMA page_count") * database.ask("PRAGMA page_size"));
    for (const auto& [id, entry] : stored.content.classes)
        model.samples.push_back(stored.codec->samples_of(entry.packed));
    model.learner = std::move(stored.learner);
    return model;
}

Content content_of(const std::filesystem::path& path, std::unique_ptr<Codec>& codec) {
    Database database = open_existing(path, Database::Mode::read);
    const Transaction transaction(database, Transaction::Kind::read);
    Stored stored = read_tables(database);
    try {
        (void)catch_up(stored);
    } catch (const Error& error) {
        database.refuse(error);
    }
    codec = std::move(stored.codec);
    return std::move(stored.content);
}

void check_mergeable(const Content& a, const Content& b) {
    if (a.head.learner != "constellation" || b.head.learner != "constellation") {
        throw usage_error("only models of constellation can be merged: what a modeller learns of a class "
                          "depends on all images that it saw; teach one model both streams instead");
    }
    if (a.head.parameters != b.head.parameters || a.head.front_end != b.head.front_end)
        throw usage_error(
            "the two models were made with other parameters, so that their units cannot be compared; "
            "make both with one preset");
    for (const auto& [id, entry] : b.classes) {
        if (a.class_called(entry.label)) {
            throw usage_error(
                fmt::format("both models have a class '{0}': what two models learned of one class "
                            "cannot be added up; forget or rename it in one of them, as in 'sprig "
                            "class MODEL rename {0} NEW'",
                            entry.label));
        }
    }
}

} // namespace

StoredModel load_model(const std::filesystem::path& path) {
    Database database = open_existing(path, Database::Mode::read);
    return read_all(database);
}

void verify_model(const std::filesystem::path& path) {
    Database database = open_existing(path, Database::Mode::read);
    const std::string order = database.ask_text("PRAGMA integrity_check(1)");
    if (order != "ok") database.refuse("its inner order is broken (" + order + ")");
    (void)read_all(database);
}

void save_model(const Learner& learner, const std::filesystem::path& path, std::string_view preset) {
    Content content;
    content.head = head_of(learner, std::string(preset));
    content.head.lessons = learner.steps();
    const std::unique_ptr<Codec> codec = make_codec(content.head);
    codec->describe(learner, content);
    create_file(path, content, *codec);
}

void merge_models(const std::filesystem::path& first, const std::filesystem::path& second,
                  const std::filesystem::path& result) {
    std::unique_ptr<Codec> codec;
    const Content b = content_of(second, codec);
    Content merged = content_of(first, codec);
    check_mergeable(merged, b);
    std::map<ClassId, ClassId> renumbered;
    for (const auto& [id, entry] : b.classes) {
        renumbered[id] = merged.next_class();
        merged.classes.emplace(renumbered[id], entry);
    }
    for (const auto& [lineage, entry] : b.units)
        merged.units.emplace(lineage, UnitEntry{renumbered.at(entry.label), entry.packed});
    merged.head.steps += b.head.steps;
    merged.head.lessons += b.head.lessons;
    create_file(result, merged, *codec);
}

std::string_view event_name(UnitEvent::Kind kind) {
    return name_of(kind);
}

} // namespace sprig
