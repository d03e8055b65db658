#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "learner/storage.h"
#include "sprig/learners.h"
#include "sprig/store.h"

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

/// A learner and its content in packed form, kept in step.
struct ModelState {
    Content content;
    std::unique_ptr<Storage> storage;
    std::unique_ptr<Learner> learner;

    ModelState() = default;
    /// Takes ownership of a learner.
    ModelState(std::unique_ptr<Learner> taken, std::string preset);
    /// Copies a learner.
    ModelState(const Learner& learner, std::string preset);

    /// A lesson and its inverse.
    struct Lesson {
        LearnReport report;
        Delta inverse;
        std::uint64_t digest = 0; ///< of the change: see `learner::digest_of`
    };
    /// Learns and updates the content. Throws as `Learner::learn` does.
    Lesson learn(const Network& network, std::string_view label);

    /// Applies a change to the content, rebuilds the learner, and returns the inverse.
    Delta change(Delta delta);
    /// Restores the learner from the content. Throws Error(bad_input) if the content is not valid.
    void rebuild();

    // Changes of classes, for `change`. Throw Error(usage) if the change is not possible; the message calls
    // the model `name`.
    [[nodiscard]] Delta add_class_delta(std::string_view label) const;
    [[nodiscard]] Delta merge_delta(const ModelState& other) const;
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
