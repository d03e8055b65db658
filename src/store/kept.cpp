#include "store/kept.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "vision/front_end_parameters.h"

namespace sprig::store {

Head head_of(const Learner& learner, std::string preset) {
    Head head;
    head.learner = learner.name();
    head.preset = std::move(preset);
    head.parameters = learner.parameters();
    head.front_end = to_json(learner.front_end()).dump();
    head.method = static_cast<std::uint64_t>(learner.version());
    head.seed = learner.seed();
    head.steps = learner.steps();
    head.lessons = head.steps;
    return head;
}

std::unique_ptr<Storage> storage_for(const Head& head) {
    std::shared_ptr<const LearnerKind> kind;
    try {
        kind = learner_kind(head.learner);
    } catch (const Error&) {
        throw bad_input(
            fmt::format("there is no learner '{}' here: is it of a newer version?", head.learner));
    }
    try {
        return kind->storage(head.parameters, head.front_end);
    } catch (const Error& error) {
        throw bad_input(
            fmt::format("its parameters are not known here ({}): is it of a newer version?", error.what()));
    }
}

void check_method(const Head& head, const Learner& learner) {
    const auto known = static_cast<std::uint64_t>(learner.version());
    if (head.method > known) {
        throw bad_input(fmt::format("it was learned by method {} of {}, and this program knows methods up to "
                                    "{}: get a newer sprig",
                                    head.method, head.learner, known));
    }
}

Kept::Kept(std::unique_ptr<Learner> taken, std::string preset) : learner(std::move(taken)) {
    content.head = head_of(*learner, std::move(preset));
    storage = storage_for(content.head);
    storage->describe(*learner, content);
}

Kept::Kept(const Learner& other, std::string preset) {
    content.head = head_of(other, std::move(preset));
    storage = storage_for(content.head);
    storage->describe(other, content);
    rebuild();
}

Kept::Lesson Kept::learn(const Network& network, std::string_view label) {
    Lesson lesson;
    lesson.report = learner->learn(network, label);
    Delta delta;
    delta.lesson = content.head.lessons + 1;
    delta.steps = learner->steps();
    delta.events = lesson.report.events;
    storage->describe_step(*learner, lesson.report, label, content, delta);
    lesson.sum = learner::sum_of(delta);
    lesson.inverse = apply(content, std::move(delta));
    return lesson;
}

Delta Kept::change(Delta delta) {
    Delta inverse = apply(content, std::move(delta));
    rebuild();
    return inverse;
}

void Kept::rebuild() {
    learner = storage->restore(content);
    content.head.steps = learner->steps();
}

Delta Kept::nothing() const {
    return {content.head.lessons, content.head.steps};
}

ClassId Kept::require_class(std::string_view label, const std::string& name) const {
    const std::optional<ClassId> id = content.class_called(label);
    if (!id) throw usage_error(fmt::format("{} has no class '{}'", name, label));
    return *id;
}

Delta Kept::adding_class(std::string_view label) const {
    // The learner knows what a class begins with.
    const std::unique_ptr<Learner> grown = storage->restore(content);
    grown->add_class(label);
    Content named;
    storage->describe(*grown, named);
    Delta delta = nothing();
    delta.classes.emplace_back(content.next_class(), named.classes.at(*named.class_called(label)));
    return delta;
}

Delta Kept::forgetting_class(std::string_view label, const std::string& name) const {
    const ClassId id = require_class(label, name);
    Delta delta = nothing();
    delta.classes.emplace_back(id, std::nullopt);
    for (const auto& [lineage, entry] : content.units) {
        if (entry.label == id) delta.units.emplace_back(lineage, std::nullopt);
    }
    return delta;
}

Kept::Renaming Kept::renaming_class(std::string_view label, std::string_view new_label,
                                    const std::string& name, const std::vector<Lineage>& gone) const {
    const ClassId id = require_class(label, name);
    if (new_label.empty()) throw usage_error("a class needs a label that is not empty");
    if (content.class_called(new_label))
        throw usage_error(fmt::format("{} has a class '{}' already", name, new_label));
    Renaming renaming;
    renaming.delta = nothing();
    ClassEntry entry = content.classes.at(id);
    renaming.units = storage->renamed(content, id, new_label, gone);
    entry.label = new_label;
    renaming.delta.classes.emplace_back(id, std::move(entry));
    for (const auto& [lineage, unit] : content.units) {
        const auto found = renaming.units.find(lineage);
        if (unit.label != id || found == renaming.units.end()) continue;
        renaming.delta.units.emplace_back(lineage, std::nullopt);
        renaming.delta.units.emplace_back(found->second, unit);
    }
    return renaming;
}

ModelFacts facts_of(const Head& head) {
    ModelFacts facts;
    facts.learner = head.learner;
    facts.preset = head.preset;
    facts.parameters = head.parameters;
    facts.front_end = head.front_end;
    facts.method = head.method;
    facts.seed = head.seed;
    facts.lessons = head.lessons;
    return facts;
}

std::vector<std::uint64_t> samples_of(const Kept& kept) {
    std::vector<std::uint64_t> samples;
    for (const auto& [id, entry] : kept.content.classes)
        samples.push_back(kept.storage->samples_of(entry.packed));
    return samples;
}

namespace {

void check_mergeable(const Content& a, const Content& b) {
    const auto is_independent = [](const Head& head) {
        return learner_kind(head.learner)->classes_are_independent;
    };
    if (a.head.learner != b.head.learner || !is_independent(a.head)) {
        throw usage_error(fmt::format(
            "only two models of one learner can be merged, and only if its classes know nothing of each "
            "other, as those of constellation; these are of {} and {}: teach one model both streams instead",
            a.head.learner, b.head.learner));
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

Delta Kept::merging(const Kept& other) const {
    check_mergeable(content, other.content);
    Delta delta = nothing();
    delta.lesson += other.content.head.lessons;
    delta.steps += other.content.head.steps;
    std::map<ClassId, ClassId> renumbered;
    ClassId next = content.next_class();
    for (const auto& [id, entry] : other.content.classes) {
        renumbered[id] = next;
        delta.classes.emplace_back(next++, entry);
    }
    for (const auto& [lineage, entry] : other.content.units)
        delta.units.emplace_back(lineage, UnitEntry{renumbered.at(entry.label), entry.packed});
    return delta;
}

} // namespace sprig::store
