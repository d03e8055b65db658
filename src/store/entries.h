#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learner/storage.h"
#include "sprig/store.h"

namespace sprig::store {

/// A lesson and its inverse.
struct Lesson {
    LearnReport report;
    learner::Inverse inverse;
    std::uint64_t digest = 0; ///< of the change: see `learner::digest_of`
};

/// The classes and units of a learner in packed form, by id. If its storage works class by class, they are
/// packed when they are asked for, and only their ids are kept; otherwise all of them are kept.
class Entries {
  public:
    Entries() = default;
    virtual ~Entries() = default;
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;
    Entries(Entries&&) = delete;
    Entries& operator=(Entries&&) = delete;

    [[nodiscard]] virtual std::optional<learner::ClassId> find_class(std::string_view label) const = 0;
    [[nodiscard]] virtual learner::ClassId next_class() const = 0;
    /// In order of arrival.
    [[nodiscard]] virtual std::vector<learner::ClassId> classes() const = 0;
    /// By class, then lineage.
    using UnitId = std::pair<learner::ClassId, Lineage>;
    [[nodiscard]] virtual std::vector<UnitId> units() const = 0;
    // `learner`: the one that these entries describe. nullopt if there is no such entry.
    [[nodiscard]] virtual std::optional<learner::ClassEntry> class_entry(const Learner& learner,
                                                                         learner::ClassId id) const = 0;
    [[nodiscard]] virtual std::optional<learner::UnitEntry> unit_entry(const Learner& learner,
                                                                       Lineage lineage) const = 0;
    [[nodiscard]] virtual std::vector<Lineage> units_of(const Learner& learner,
                                                        learner::ClassId id) const = 0;

    /// Learns a network and updates the numbers of `header`. Throws as `Learner::learn` does.
    virtual Lesson learn(Learner& learner, learner::ModelHeader& header, const Network& network,
                         std::string_view label) = 0;
    /// Whether `learn_all` can be called: the storage works class by class.
    [[nodiscard]] virtual bool learns_in_threads() const { return false; }
    /// Learns many samples, with the same lessons as `learn` one after the other. The classes are distributed
    /// over `threads` threads. Throws as `learn` does, before anything is learned.
    [[nodiscard]] virtual std::vector<Lesson> learn_all(Learner& /*learner*/,
                                                        learner::ModelHeader& /*header*/,
                                                        std::span<const NetworkSample> /*samples*/,
                                                        std::size_t /*threads*/) {
        return {};
    }
    /// Changes classes and units, the learner with them, and the numbers of `header`. Returns the inverse.
    /// Throws Error(bad_input), with nothing changed, if the result is not valid.
    virtual learner::Delta change(std::unique_ptr<Learner>& learner, learner::ModelHeader& header,
                                  learner::Delta delta) = 0;
};

/// The entries of a learner, whose storage must outlive them.
[[nodiscard]] std::unique_ptr<Entries> entries_of(const learner::Storage& storage, const Learner& learner);
/// The entries of a learner that was restored from this content, with its ids.
[[nodiscard]] std::unique_ptr<Entries> entries_of(const learner::Storage& storage, learner::Content content);

} // namespace sprig::store
