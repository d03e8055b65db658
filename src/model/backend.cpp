#include "model/backend.h"

#include <map>
#include <utility>

#include "sprig/error.h"

namespace sprig::model {

namespace {

constexpr const char* name = "the model";
/// The units of the inverses of older lessons are packed, which takes half of their memory.
constexpr std::size_t max_unpacked_inverses = 20;

} // namespace

MemoryBackend::MemoryBackend(store::ModelState state, std::size_t undo, std::size_t max_events,
                             ModelFacts facts, std::vector<LoggedEvent> events)
    : state_(std::move(state)), undo_(undo), max_events_(max_events), facts_(store::facts_of(state_.header)),
      events_(events.begin(), events.end()) {
    facts_.written_by = std::move(facts.written_by);
    facts_.bytes = facts.bytes;
    facts_.event_totals = std::move(facts.event_totals);
    facts_.undoable = facts.undoable;
    for (const UnitEvent::Kind kind : all_event_kinds)
        facts_.event_totals.try_emplace(std::string(event_name(kind)));
}

ModelFacts MemoryBackend::facts() const {
    ModelFacts facts = facts_;
    facts.lessons = state_.header.lessons;
    if (!inverses_.empty()) facts.undoable = inverses_.size();
    return facts;
}

LearnReport MemoryBackend::learn(const Network& network, std::string_view label) {
    return record(state_.learn(network, label));
}

void MemoryBackend::learn_all(std::span<const NetworkSample> samples, std::size_t threads) {
    if (!state_.entries->learns_in_threads()) {
        for (const auto& [network, label] : samples) (void)learn(*network, label);
        return;
    }
    for (store::Lesson& lesson : state_.learn_all(samples, threads)) (void)record(std::move(lesson));
}

LearnReport MemoryBackend::record(store::Lesson lesson) {
    for (const UnitEvent& event : lesson.report.events) {
        events_.push_back({lesson.inverse.outline().lesson + 1, event});
        ++facts_.event_totals[std::string(event_name(event.kind))];
    }
    while (events_.size() > max_events_) events_.pop_front();
    inverses_.push_back(std::move(lesson.inverse));
    if (inverses_.size() > undo_) inverses_.pop_front();
    if (inverses_.size() > max_unpacked_inverses)
        (void)inverses_[inverses_.size() - 1 - max_unpacked_inverses].complete();
    facts_.undoable = 0; // the model is ahead of the file
    return std::move(lesson.report);
}

void MemoryBackend::undo() {
    if (inverses_.empty()) throw usage_error("the model has no lesson that can be undone");
    const std::uint64_t lesson = state_.header.lessons;
    const store::Delta redone = state_.change(std::move(inverses_.back().complete()));
    inverses_.pop_back();
    for (const UnitEvent& event : redone.events) --facts_.event_totals[std::string(event_name(event.kind))];
    while (!events_.empty() && events_.back().lesson == lesson) events_.pop_back();
}

void MemoryBackend::edit(store::Delta delta) {
    (void)state_.change(std::move(delta));
    inverses_.clear();
    facts_.undoable = 0;
}

void MemoryBackend::add_class(std::string_view label) {
    if (!state_.entries->find_class(label)) edit(state_.add_class_delta(label));
}

void MemoryBackend::rename(std::string_view label, std::string_view new_label) {
    std::vector<Lineage> in_log;
    for (const LoggedEvent& logged : events_) in_log.push_back(logged.event.unit);
    store::ModelState::ClassRename rename = state_.rename_class_delta(label, new_label, name, in_log);
    edit(std::move(rename.delta));
    for (LoggedEvent& logged : events_) {
        if (const auto found = rename.units.find(logged.event.unit); found != rename.units.end())
            logged.event.unit = found->second;
    }
}

void MemoryBackend::forget(std::string_view label) {
    edit(state_.forget_class_delta(label, name));
}

void MemoryBackend::merge(const Learner& other) {
    edit(state_.merge_delta(store::ModelState(other, {})));
}

std::unique_ptr<Backend> FileBackend::close() {
    ModelFacts facts = file_.facts();
    std::vector<LoggedEvent> events = file_.events();
    store::ModelState state = store::take_state(file_);
    std::error_code unknown;
    facts.bytes = std::filesystem::file_size(path_, unknown);
    return std::make_unique<MemoryBackend>(std::move(state), 0, ModelFile::Options().events, std::move(facts),
                                           std::move(events));
}

std::vector<ClassFacts> class_facts_of(const store::ModelState& state) {
    std::map<store::ClassId, std::size_t> units;
    for (const auto& [id, lineage] : state.entries->units()) ++units[id];
    const std::vector<std::uint64_t> samples = store::samples_of(state);
    std::vector<ClassFacts> classes;
    for (const store::ClassId id : state.entries->classes())
        classes.push_back({state.class_entry(id).value().label, samples[classes.size()], units[id]});
    return classes;
}

} // namespace sprig::model
