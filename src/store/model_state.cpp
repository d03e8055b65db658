#include "store/model_state.h"

#include <utility>

#include <fmt/format.h>

#include "sprig/error.h"
#include "vision/front_end_parameters.h"

namespace sprig::store {

ModelHeader header_of(const Learner& learner, std::string preset) {
    ModelHeader header;
    header.learner = learner.name();
    header.preset = std::move(preset);
    header.parameters = learner.parameters();
    header.front_end = to_json(learner.front_end());
    header.method = static_cast<std::uint64_t>(learner.version());
    header.seed = learner.seed();
    header.steps = learner.steps();
    header.lessons = header.steps;
    return header;
}

std::unique_ptr<Storage> storage_for(const ModelHeader& header) {
    std::shared_ptr<const LearnerKind> kind;
    try {
        kind = learner_kind(header.learner);
    } catch (const Error&) {
        throw bad_input(
            fmt::format("the learner '{}' is unknown; a newer version of sprig may know it", header.learner));
    }
    try {
        return kind->storage(header.parameters, header.front_end);
    } catch (const Error& error) {
        throw bad_input(fmt::format(
            "its parameters are not valid ({}); a newer version of sprig may know them", error.what()));
    }
}

void check_method(const ModelHeader& header, const Learner& learner) {
    const auto known = static_cast<std::uint64_t>(learner.version());
    if (header.method > known) {
        throw bad_input(
            fmt::format("it was learned with method {} of {}, and this program knows methods up to "
                        "{}; get a newer sprig",
                        header.method, header.learner, known));
    }
}

ModelState::ModelState(std::unique_ptr<Learner> owned, std::string preset)
    : header(header_of(*owned, std::move(preset))), storage(storage_for(header)), learner(std::move(owned)),
      entries(entries_of(*storage, *learner)) {}

namespace {

/// Shares what it has learned with the original, if its storage can.
std::unique_ptr<Learner> copy_of(const Learner& learner, const ModelHeader& header, const Storage& storage) {
    if (const learner::ClassStorage* by_class = storage.by_class()) {
        std::vector<learner::ClassStorage::Place> places(learner.classes().size());
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = {&learner, i};
        return by_class->assemble(places);
    }
    Content content;
    content.header = header;
    storage.describe(learner, content);
    return storage.restore(content);
}

} // namespace

ModelState::ModelState(const Learner& other, std::string preset)
    : header(header_of(other, std::move(preset))), storage(storage_for(header)),
      learner(copy_of(other, header, *storage)), entries(entries_of(*storage, *learner)) {}

ModelState::ModelState(std::unique_ptr<Storage> of_header, Content content)
    : header(content.header), storage(std::move(of_header)), learner(storage->restore(content)),
      entries(entries_of(*storage, std::move(content))) {}

Lesson ModelState::learn(const Network& network, std::string_view label) {
    return entries->learn(*learner, header, network, label);
}

std::vector<Lesson> ModelState::learn_all(std::span<const NetworkSample> samples, std::size_t threads) {
    return entries->learn_all(*learner, header, samples, threads);
}

Delta ModelState::change(Delta delta) {
    return entries->change(learner, header, std::move(delta));
}

Content ModelState::content_of(const std::vector<ClassId>& classes) const {
    Content content;
    content.header = header;
    for (const ClassId id : classes) content.classes.emplace(id, class_entry(id).value());
    for (const auto& [id, lineage] : entries->units()) {
        if (content.classes.contains(id)) content.units.emplace(lineage, unit_entry(lineage).value());
    }
    return content;
}

Delta ModelState::empty_delta() const {
    return {header.lessons, header.steps};
}

ClassId ModelState::require_class(std::string_view label, const std::string& name) const {
    const std::optional<ClassId> id = entries->find_class(label);
    if (!id)
        throw usage_error(
            fmt::format("{} has no class '{}'; 'sprig class MODEL list' lists its classes", name, label));
    return *id;
}

Delta ModelState::add_class_delta(std::string_view label) const {
    // Only the learner knows the initial content of a class. It depends on other classes unless classes are
    // independent.
    Content known;
    if (storage->by_class() == nullptr) known = content();
    known.header = header;
    const std::unique_ptr<Learner> extended = storage->restore(known);
    extended->add_class(label);
    Content after;
    storage->describe(*extended, after);
    Delta delta = empty_delta();
    delta.classes.emplace_back(entries->next_class(), after.classes.at(*after.find_class(label)));
    return delta;
}

Delta ModelState::forget_class_delta(std::string_view label, const std::string& name) const {
    const ClassId id = require_class(label, name);
    Delta delta = empty_delta();
    delta.classes.emplace_back(id, std::nullopt);
    for (const Lineage lineage : units_of(id)) delta.units.emplace_back(lineage, std::nullopt);
    return delta;
}

ModelState::ClassRename ModelState::rename_class_delta(std::string_view label, std::string_view new_label,
                                                       const std::string& name,
                                                       const std::vector<Lineage>& gone) const {
    const ClassId id = require_class(label, name);
    if (new_label.empty()) throw usage_error("a class label must not be empty");
    if (entries->find_class(new_label))
        throw usage_error(fmt::format("{} already has a class '{}'", name, new_label));
    ClassRename rename;
    rename.delta = empty_delta();
    const Content known = content_of({id});
    ClassEntry entry = known.classes.at(id);
    rename.units = storage->renamed_units(known, id, new_label, gone);
    entry.label = new_label;
    rename.delta.classes.emplace_back(id, std::move(entry));
    for (const auto& [lineage, unit] : known.units) {
        const auto found = rename.units.find(lineage);
        if (found == rename.units.end()) continue;
        rename.delta.units.emplace_back(lineage, std::nullopt);
        rename.delta.units.emplace_back(found->second, unit);
    }
    return rename;
}

ModelFacts facts_of(const ModelHeader& header) {
    ModelFacts facts;
    facts.learner = header.learner;
    facts.preset = header.preset;
    facts.parameters = header.parameters;
    facts.front_end = header.front_end;
    facts.free_pose = has_free_pose(header.learner, header.parameters, header.front_end);
    facts.method = header.method;
    facts.seed = header.seed;
    facts.lessons = header.lessons;
    return facts;
}

std::vector<std::uint64_t> samples_of(const ModelState& state) {
    std::vector<std::uint64_t> samples;
    for (const ClassId id : state.entries->classes())
        samples.push_back(state.storage->samples_of(state.class_entry(id).value().packed));
    return samples;
}

namespace {

/// Whether two learners have the same parameters. Their headers may differ: one that an older version has
/// written may have fewer.
bool have_same_parameters(const Learner& a, const Learner& b) {
    return a.parameters() == b.parameters() && a.front_end() == b.front_end();
}

void check_mergeable(const ModelState& into, const ModelState& from, const MergeNames& names) {
    const auto is_independent = [](const ModelHeader& header) {
        return learner_kind(header.learner)->classes_are_independent;
    };
    if (into.header.learner != from.header.learner || !is_independent(into.header)) {
        throw usage_error(fmt::format(
            "only models of one learner with independent classes, such as constellation, can be merged; "
            "these are of {} and {}: learn both streams with one model instead",
            into.header.learner, from.header.learner));
    }
    if (!have_same_parameters(*into.learner, *from.learner))
        throw usage_error(
            fmt::format("{} have different parameters, so they cannot be merged; make both with the same "
                        "preset and parameters",
                        names.pair));
    for (const ClassId id : from.entries->classes()) {
        const std::string label = from.class_entry(id).value().label;
        if (const std::optional<ClassId> known = into.entries->find_class(label)) {
            throw usage_error(
                fmt::format("{0} have a class '{1}', and one class cannot be merged from two models; "
                            "forget or rename it in one of them, as in 'sprig class {2} rename {1} NEW'",
                            names.both ? names.both(*known) : "both models", label, names.model));
        }
    }
}

} // namespace

Delta ModelState::merge_delta(const ModelState& other, const MergeNames& names) const {
    check_mergeable(*this, other, names);
    Delta delta = empty_delta();
    delta.lesson += other.header.lessons;
    delta.steps += other.header.steps;
    std::map<ClassId, ClassId> renumbered;
    ClassId next = entries->next_class();
    for (const ClassId id : other.entries->classes()) {
        renumbered[id] = next;
        delta.classes.emplace_back(next++, other.class_entry(id));
    }
    for (const auto& [id, lineage] : other.entries->units()) {
        UnitEntry entry = other.unit_entry(lineage).value();
        entry.label = renumbered.at(id);
        delta.units.emplace_back(lineage, std::move(entry));
    }
    return delta;
}

} // namespace sprig::store
