#pragma once

#include <deque>
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
using learner::Head;
using learner::Storage;
using learner::UnitEntry;

/// What a learner is, apart from what it learned.
[[nodiscard]] Head head_of(const Learner& learner, std::string preset);
/// How a model with this head is stored. Throws Error(bad_input) if its learner or its parameters are not
/// known here.
[[nodiscard]] std::unique_ptr<Storage> storage_for(const Head& head);

/// Throws Error(bad_input) if a newer method of its learner taught the model.
void check_method(const Head& head, const Learner& learner);

/// A learner and, beside it, all that has to be kept of it. Both change together, lesson by lesson.
struct Kept {
    Content content;
    std::unique_ptr<Storage> storage;
    std::unique_ptr<Learner> learner;

    Kept() = default;
    /// Takes a learner with all that it knows.
    Kept(std::unique_ptr<Learner> taken, std::string preset);
    /// Makes another one that knows the same.
    Kept(const Learner& learner, std::string preset);

    /// A lesson, and what takes it back.
    struct Lesson {
        LearnReport report;
        Delta inverse;
        std::uint64_t sum = 0; ///< of what it set
    };
    /// Learns through the learner's ordinary way. Throws as it does.
    Lesson learn(const Network& network, std::string_view label);

    /// Changes the content, makes the learner anew from it, and gives back what would undo that.
    Delta change(Delta delta);
    /// Makes the learner from the content. Throws Error(bad_input) if it makes none.
    void rebuild();

    // What `change` takes to edit classes. Throw Error(usage), which calls the model `name`, if that cannot
    // be.
    [[nodiscard]] Delta adding_class(std::string_view label) const;
    [[nodiscard]] Delta merging(const Kept& other) const;
    [[nodiscard]] Delta forgetting_class(std::string_view label, const std::string& name) const;
    struct Renaming {
        Delta delta;
        std::unordered_map<Lineage, Lineage>
            units; ///< the old and the new names of those that have others now
    };
    /// `gone`: units of the log, which may have been of the class.
    [[nodiscard]] Renaming renaming_class(std::string_view label, std::string_view new_label,
                                          const std::string& name, const std::vector<Lineage>& gone) const;

  private:
    [[nodiscard]] Delta nothing() const;
    [[nodiscard]] ClassId require_class(std::string_view label, const std::string& name) const;
};

/// The model of an open file; and the same, taken out of a file that is closed by it.
[[nodiscard]] const Kept& kept_of(const ModelFile& file);
[[nodiscard]] Kept release(ModelFile& file);

/// What a model file says of such a model, apart from its log.
[[nodiscard]] ModelFacts facts_of(const Head& head);
/// How many lessons of each class there were, in the order of the classes.
[[nodiscard]] std::vector<std::uint64_t> samples_of(const Kept& kept);

} // namespace sprig::store
