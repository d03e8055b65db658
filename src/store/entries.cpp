#include "store/entries.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::store {

using learner::ClassEntry;
using learner::ClassId;
using learner::ClassStorage;
using learner::Content;
using learner::Delta;
using learner::ModelHeader;
using learner::Storage;
using learner::UnitEntry;

namespace {

/// All entries, kept.
class KeptEntries final : public Entries {
  public:
    KeptEntries(const Storage& storage, Content content) : storage_(storage), content_(std::move(content)) {}

    [[nodiscard]] std::optional<ClassId> find_class(std::string_view label) const override {
        return content_.find_class(label);
    }
    [[nodiscard]] ClassId next_class() const override { return content_.next_class(); }
    [[nodiscard]] std::vector<ClassId> classes() const override {
        std::vector<ClassId> ids;
        for (const auto& [id, entry] : content_.classes) ids.push_back(id);
        return ids;
    }
    [[nodiscard]] std::vector<UnitId> units() const override {
        std::vector<UnitId> all;
        for (const auto& [lineage, entry] : content_.units) all.emplace_back(entry.label, lineage);
        std::ranges::sort(all);
        return all;
    }
    [[nodiscard]] std::vector<Lineage> units_of(const Learner& /*learner*/, ClassId id) const override {
        std::vector<Lineage> lineages;
        for (const auto& [lineage, entry] : content_.units) {
            if (entry.label == id) lineages.push_back(lineage);
        }
        return lineages;
    }
    [[nodiscard]] std::optional<ClassEntry> class_entry(const Learner& /*learner*/,
                                                        ClassId id) const override {
        const auto found = content_.classes.find(id);
        if (found == content_.classes.end()) return {};
        return found->second;
    }
    [[nodiscard]] std::optional<UnitEntry> unit_entry(const Learner& /*learner*/,
                                                      Lineage lineage) const override {
        const auto found = content_.units.find(lineage);
        if (found == content_.units.end()) return {};
        return found->second;
    }

    Lesson learn(Learner& learner, ModelHeader& header, const Network& network,
                 std::string_view label) override {
        Lesson lesson;
        lesson.report = learner.learn(network, label);
        Delta delta{header.lessons + 1, learner.steps()};
        delta.events = lesson.report.events;
        storage_.describe_step(learner, lesson.report, label, content_, delta);
        lesson.digest = learner::digest_of(delta);
        content_.header = header;
        lesson.inverse = apply(content_, std::move(delta));
        header = content_.header;
        return lesson;
    }
    Delta change(std::unique_ptr<Learner>& learner, ModelHeader& header, Delta delta) override {
        content_.header = header;
        Delta inverse = apply(content_, std::move(delta));
        std::unique_ptr<Learner> changed;
        try {
            changed = storage_.restore(content_);
        } catch (...) {
            (void)apply(content_, std::move(inverse));
            throw;
        }
        learner = std::move(changed);
        content_.header.steps = learner->steps();
        header = content_.header;
        return inverse;
    }

  private:
    const Storage& storage_;
    Content content_;
};

/// Only the ids: entries are packed from the learner when they are asked for.
class PackedOnDemand final : public Entries {
  public:
    PackedOnDemand(const Storage& storage, const Learner& learner)
        : storage_(storage), by_class_(*storage.by_class()) {
        for (const std::string& label : learner.classes()) append(label, next_class());
        for (std::size_t place = 0; place < ids_.size(); ++place) {
            for (const Lineage lineage : by_class_.units_of(learner, place))
                owners_.emplace(lineage, ids_[place]);
        }
    }
    PackedOnDemand(const Storage& storage, const Content& content)
        : storage_(storage), by_class_(*storage.by_class()) {
        for (const auto& [id, entry] : content.classes) append(entry.label, id);
        for (const auto& [lineage, entry] : content.units) owners_.emplace(lineage, entry.label);
    }

    [[nodiscard]] std::optional<ClassId> find_class(std::string_view label) const override {
        const auto found = by_label_.find(label);
        if (found == by_label_.end()) return {};
        return found->second;
    }
    [[nodiscard]] ClassId next_class() const override { return ids_.empty() ? 1 : ids_.back() + 1; }
    [[nodiscard]] std::vector<ClassId> classes() const override { return ids_; }
    [[nodiscard]] std::vector<UnitId> units() const override {
        std::vector<UnitId> all;
        all.reserve(owners_.size());
        for (const auto& [lineage, id] : owners_) all.emplace_back(id, lineage);
        std::ranges::sort(all);
        return all;
    }
    [[nodiscard]] std::vector<Lineage> units_of(const Learner& learner, ClassId id) const override {
        const std::optional<std::size_t> place = place_of(id);
        return place ? by_class_.units_of(learner, *place) : std::vector<Lineage>();
    }
    [[nodiscard]] std::optional<ClassEntry> class_entry(const Learner& learner, ClassId id) const override {
        const std::optional<std::size_t> place = place_of(id);
        if (!place) return {};
        return by_class_.class_entry(learner, *place);
    }
    [[nodiscard]] std::optional<UnitEntry> unit_entry(const Learner& learner,
                                                      Lineage lineage) const override {
        const auto owner = owners_.find(lineage);
        if (owner == owners_.end()) return {};
        return by_class_.unit_entry(learner, *place_of(owner->second), owner->second, lineage);
    }

    Lesson learn(Learner& learner, ModelHeader& header, const Network& network,
                 std::string_view label) override;
    [[nodiscard]] bool learns_in_threads() const override { return true; }
    [[nodiscard]] std::vector<Lesson> learn_all(Learner& learner, ModelHeader& header,
                                                std::span<const NetworkSample> samples,
                                                std::size_t threads) override;
    Delta change(std::unique_ptr<Learner>& learner, ModelHeader& header, Delta delta) override;

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    void append(const std::string& label, ClassId id) {
        by_label_.emplace(label, id);
        ids_.push_back(id);
    }
    [[nodiscard]] std::optional<std::size_t> place_of(ClassId id) const {
        const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
        if (found == ids_.end() || *found != id) return {};
        return static_cast<std::size_t>(found - ids_.begin());
    }
    Lesson recorded(ModelHeader& header, const ClassStorage::LessonClass& label, ClassStorage::Change change);
    [[nodiscard]] std::set<ClassId> classes_in(const Delta& delta) const;
    [[nodiscard]] Content content_of(const Learner& learner, const std::set<ClassId>& classes) const;
    [[nodiscard]] bool keeps_places(const Content& before, const Content& after) const;
    [[nodiscard]] std::vector<ClassId> ids_after(const Content& before, const Content& after) const;
    void check_labels(const Content& before, const Content& after) const;
    void update(const Content& before, const Content& after);

    const Storage& storage_;
    const ClassStorage& by_class_;
    std::vector<ClassId> ids_; ///< by place, ascending
    std::unordered_map<std::string, ClassId, Hash, std::equal_to<>> by_label_;
    std::unordered_map<Lineage, ClassId> owners_; ///< the classes of the units
};

/// Updates the ids and the numbers of the header after a lesson, and completes its inverse.
Lesson PackedOnDemand::recorded(ModelHeader& header, const ClassStorage::LessonClass& label,
                                ClassStorage::Change change) {
    auto& [report, delta, inverse] = change;
    Delta& outline = inverse.outline();
    outline.lesson = std::exchange(header.lessons, header.lessons + 1);
    outline.steps = std::exchange(header.steps, delta.steps);
    outline.events = report.events;
    if (label.place == ids_.size()) append(std::string(label.label), label.id);
    for (const auto& [lineage, entry] : delta.units) {
        if (entry) {
            owners_.insert_or_assign(lineage, label.id);
        } else {
            owners_.erase(lineage);
        }
    }
    const std::uint64_t digest = learner::digest_of(delta);
    return {std::move(report), std::move(inverse), digest};
}

Lesson PackedOnDemand::learn(Learner& learner, ModelHeader& header, const Network& network,
                             std::string_view label) {
    const std::optional<ClassId> known = find_class(label);
    const ClassStorage::LessonClass of_class{label, known ? *place_of(*known) : ids_.size(),
                                             known.value_or(next_class())};
    ClassStorage::Change change;
    change.report = by_class_.learn(learner, network, of_class, change.delta, change.inverse);
    change.delta.steps = learner.steps();
    return recorded(header, of_class, std::move(change));
}

std::vector<Lesson> PackedOnDemand::learn_all(Learner& learner, ModelHeader& header,
                                              std::span<const NetworkSample> samples, std::size_t threads) {
    std::unordered_map<std::string_view, ClassStorage::LessonClass> added;
    std::vector<ClassStorage::Sample> all;
    for (const auto& [network, label] : samples) {
        ClassStorage::LessonClass of_class{label, 0, 0};
        if (const std::optional<ClassId> known = find_class(label)) {
            of_class.place = *place_of(*known);
            of_class.id = *known;
        } else {
            of_class.place = ids_.size() + added.size();
            of_class.id = next_class() + static_cast<ClassId>(added.size());
            of_class = added.try_emplace(label, of_class).first->second;
        }
        all.push_back({network, of_class});
    }
    std::vector<ClassStorage::Change> changes = by_class_.learn_all(learner, all, threads);
    const std::uint64_t before = learner.steps() - all.size();
    std::vector<Lesson> lessons;
    for (std::size_t i = 0; i < all.size(); ++i) {
        changes[i].delta.steps = before + i + 1;
        lessons.push_back(recorded(header, all[i].label, std::move(changes[i])));
    }
    return lessons;
}

/// The classes that a change touches.
std::set<ClassId> PackedOnDemand::classes_in(const Delta& delta) const {
    std::set<ClassId> touched;
    for (const auto& [id, entry] : delta.classes) touched.insert(id);
    for (const auto& [lineage, entry] : delta.units) {
        if (entry) touched.insert(entry->label);
        if (const auto owner = owners_.find(lineage); owner != owners_.end()) touched.insert(owner->second);
    }
    return touched;
}

/// Those of these classes that exist, with their units.
Content PackedOnDemand::content_of(const Learner& learner, const std::set<ClassId>& classes) const {
    Content content;
    for (const ClassId id : classes) {
        const std::optional<std::size_t> place = place_of(id);
        if (!place) continue;
        content.classes.emplace(id, by_class_.class_entry(learner, *place));
        for (const Lineage lineage : by_class_.units_of(learner, *place))
            content.units.emplace(lineage, *by_class_.unit_entry(learner, *place, id, lineage));
    }
    return content;
}

/// Whether all classes keep their labels and places, and new ones follow the last.
bool PackedOnDemand::keeps_places(const Content& before, const Content& after) const {
    return std::ranges::all_of(before.classes,
                               [&](const auto& known) {
                                   const auto found = after.classes.find(known.first);
                                   return found != after.classes.end() &&
                                          found->second.label == known.second.label;
                               }) &&
           std::ranges::all_of(after.classes, [&](const auto& known) {
               return before.classes.contains(known.first) || known.first >= next_class();
           });
}

std::vector<ClassId> PackedOnDemand::ids_after(const Content& before, const Content& after) const {
    std::vector<ClassId> ids;
    for (const ClassId id : ids_) {
        if (!before.classes.contains(id)) ids.push_back(id);
    }
    for (const auto& [id, entry] : after.classes) ids.push_back(id);
    std::ranges::sort(ids);
    return ids;
}

/// Throws Error(bad_input) if one of the changed classes has the label of another class.
void PackedOnDemand::check_labels(const Content& before, const Content& after) const {
    for (const auto& [id, entry] : after.classes) {
        const std::optional<ClassId> known = find_class(entry.label);
        if (known && *known != id && !before.classes.contains(*known))
            throw bad_input(fmt::format("two classes have the label '{}'", entry.label));
    }
}

/// `before`, `after`: the classes that changed.
void PackedOnDemand::update(const Content& before, const Content& after) {
    for (const auto& [id, entry] : before.classes) by_label_.erase(entry.label);
    for (const auto& [id, entry] : after.classes) by_label_.insert_or_assign(entry.label, id);
    for (const auto& [lineage, entry] : before.units) owners_.erase(lineage);
    for (const auto& [lineage, entry] : after.units) owners_.insert_or_assign(lineage, entry.label);
}

/// Only the classes that the change touches are made again.
Delta PackedOnDemand::change(std::unique_ptr<Learner>& learner, ModelHeader& header, Delta delta) {
    const Content before = content_of(*learner, classes_in(delta));
    Content after = before;
    after.header = header;
    Delta inverse = apply(after, std::move(delta));
    check_labels(before, after);
    const std::unique_ptr<Learner> made = storage_.restore(after);
    if (keeps_places(before, after)) {
        std::size_t from = 0;
        for (const auto& [id, entry] : after.classes) {
            const std::optional<std::size_t> known = place_of(id);
            if (!known) {
                learner->add_class(entry.label);
                append(entry.label, id);
            }
            by_class_.replace(*learner, *place_of(id), {made.get(), from++});
        }
    } else {
        std::vector<ClassId> ids = ids_after(before, after);
        std::vector<ClassStorage::Place> places;
        for (const ClassId id : ids) {
            const auto changed = after.classes.find(id);
            if (changed == after.classes.end()) {
                places.push_back({learner.get(), *place_of(id)});
            } else {
                const auto from = std::distance(after.classes.begin(), changed);
                places.push_back({made.get(), static_cast<std::size_t>(from)});
            }
        }
        learner = by_class_.assemble(places);
        ids_ = std::move(ids);
    }
    update(before, after);
    header = after.header;
    header.steps = learner->steps();
    return inverse;
}

} // namespace

std::unique_ptr<Entries> entries_of(const Storage& storage, const Learner& learner) {
    if (storage.by_class() != nullptr) return std::make_unique<PackedOnDemand>(storage, learner);
    Content content;
    storage.describe(learner, content);
    return std::make_unique<KeptEntries>(storage, std::move(content));
}

std::unique_ptr<Entries> entries_of(const Storage& storage, Content content) {
    if (storage.by_class() != nullptr) return std::make_unique<PackedOnDemand>(storage, content);
    return std::make_unique<KeptEntries>(storage, std::move(content));
}

} // namespace sprig::store
