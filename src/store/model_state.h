#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "learner/storage.h"
#include "sprig/learners.h"
#include "sprig/store.h"
#include "store/entries.h"

namespace sprig::store {

using learner::ClassEntry;
using learner::ClassId;
using learner::Content;
using learner::Delta;
using learner::ModelHeader;
using learner::Storage;
using learner::UnitEntry;

/// The header of a learner's model.
[[nodiscard]] ModelHeader header_of(const Learner& learner, std::string preset);
/// The storage for a model with this header. Throws Error(bad_input) if its learner or parameters are
/// unknown.
[[nodiscard]] std::unique_ptr<Storage> storage_for(const ModelHeader& header);

/// Throws Error(bad_input) if the model was learned with a newer method than the learner's.
void check_method(const ModelHeader& header, const Learner& learner);

/// How error messages about a merge call the models.
struct MergeNames {
    std::string pair = "the two models";
    std::function<std::string(ClassId)> both; ///< which have a class: by its id here; "both models"
    std::string model = "MODEL";              ///< the other model, in the advice
};

/// A learner and what is stored of it.
struct ModelState {
    ModelHeader header;
    std::unique_ptr<Storage> storage;
    std::unique_ptr<Learner> learner;
    std::unique_ptr<Entries> entries;

    ModelState() = default;
    /// Takes ownership of a learner.
    ModelState(std::unique_ptr<Learner> taken, std::string preset);
    /// Copies a learner.
    ModelState(const Learner& learner, std::string preset);
    /// Restores a learner from stored content. Throws Error(bad_input) if the content is not valid.
    ModelState(std::unique_ptr<Storage> of_header, Content content);

    /// Learns and updates the content. Throws as `Learner::learn` does.
    Lesson learn(const Network& network, std::string_view label);
    /// See `Entries::learn_all`.
    [[nodiscard]] std::vector<Lesson> learn_all(std::span<const NetworkSample> samples, std::size_t threads);
    /// Applies a change and returns the inverse. Throws Error(bad_input) if the result is not valid.
    Delta change(Delta delta);

    // The classes and units in packed form: see `Entries`.
    [[nodiscard]] std::optional<ClassEntry> class_entry(ClassId id) const {
        return entries->class_entry(*learner, id);
    }
    [[nodiscard]] std::optional<UnitEntry> unit_entry(Lineage lineage) const {
        return entries->unit_entry(*learner, lineage);
    }
    [[nodiscard]] std::vector<Lineage> units_of(ClassId id) const { return entries->units_of(*learner, id); }
    /// These classes with their units.
    [[nodiscard]] Content content_of(const std::vector<ClassId>& classes) const;
    [[nodiscard]] Content content() const { return content_of(entries->classes()); }

    // Changes of classes, for `change`. Throw Error(usage) if the change is not possible; the message calls
    // the model `name`.
    [[nodiscard]] Delta add_class_delta(std::string_view label) const;
    [[nodiscard]] Delta merge_delta(const ModelState& other, const MergeNames& names = {}) const;
    [[nodiscard]] Delta forget_class_delta(std::string_view label, const std::string& name) const;
    struct ClassRename {
        Delta delta;
        std::unordered_map<Lineage, Lineage> units; ///< old to new lineage, if the units get new ones
    };
    /// `gone`: units of the event log, which may have belonged to the class.
    [[nodiscard]] ClassRename rename_class_delta(std::string_view label, std::string_view new_label,
                                                 const std::string& name,
                                                 const std::vector<Lineage>& gone) const;

  private:
    [[nodiscard]] Delta empty_delta() const;
    [[nodiscard]] ClassId require_class(std::string_view label, const std::string& name) const;
};

/// The state of an open file.
[[nodiscard]] const ModelState& state_of(const ModelFile& file);
/// Closes a file and returns its state.
[[nodiscard]] ModelState take_state(ModelFile& file);

/// The metadata in the header; the rest is left empty.
[[nodiscard]] ModelFacts facts_of(const ModelHeader& header);
/// The number of lessons of each class, in the order of the classes.
[[nodiscard]] std::vector<std::uint64_t> samples_of(const ModelState& state);

} // namespace sprig::store
