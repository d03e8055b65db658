#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sprig/learner.h"

namespace sprig::learner {

using ClassId = std::uint32_t; ///< counted from 1, in order of arrival
[[nodiscard]] constexpr bool is_class_id(std::int64_t id) {
    return id >= 1 && id <= 0x7fffffff;
}

/// The description of a model, without its learned content.
struct ModelHeader {
    std::string learner;
    std::string preset;     ///< for information only
    std::string parameters; ///< JSON
    std::string front_end;  ///< JSON
    std::uint64_t method = 1;
    std::uint64_t seed = 0;
    std::uint64_t steps = 0;
    std::uint64_t lessons = 0; ///< learned into this file and not undone
};

/// The packed content of a class or a unit. Only a `Storage` interprets it.
struct ClassEntry {
    std::string label;
    std::string packed;

    bool operator==(const ClassEntry&) const = default;
};
struct UnitEntry {
    ClassId label = 0;
    std::string packed;

    bool operator==(const UnitEntry&) const = default;
};

/// The complete content of a model.
struct Content {
    ModelHeader header;
    std::map<ClassId, ClassEntry> classes;
    std::unordered_map<Lineage, UnitEntry> units;

    [[nodiscard]] std::optional<ClassId> find_class(std::string_view label) const;
    [[nodiscard]] ClassId next_class() const { return classes.empty() ? 1 : classes.rbegin()->first + 1; }
};

/// A change of the content: new values, or no value for an entry that is removed.
struct Delta {
    std::uint64_t lesson = 0; ///< the number of lessons after the change
    std::uint64_t steps = 0;  ///< the learner's steps after the change
    std::vector<std::pair<ClassId, std::optional<ClassEntry>>> classes = {};
    std::vector<std::pair<Lineage, std::optional<UnitEntry>>> units = {};
    std::vector<UnitEvent> events = {}; ///< of the lesson, or of the lesson that an inverse undoes
};

/// The inverse of a lesson. Its units are packed when they are needed: most lessons are never undone.
class Inverse {
  public:
    Inverse() = default;
    Inverse(Delta complete) : delta_(std::move(complete)) {} // implicit: it is one
    /// `pack_units` sets the entries of the units, whose lineages are in `delta`.
    Inverse(Delta delta, std::function<void(Delta&)> pack_units)
        : delta_(std::move(delta)), pack_units_(std::move(pack_units)) {}

    /// The change without the entries of its units.
    [[nodiscard]] Delta& outline() { return delta_; }
    [[nodiscard]] const Delta& outline() const { return delta_; }
    [[nodiscard]] Delta& complete() {
        if (pack_units_) pack_units_(delta_);
        pack_units_ = nullptr; // releases the units
        return delta_;
    }
    operator Delta() && { return std::move(complete()); }

  private:
    Delta delta_;
    std::function<void(Delta&)> pack_units_;
};

class ClassStorage;

/// Applies a change and returns its inverse.
[[nodiscard]] Delta apply(Content& content, Delta delta);
/// A digest of a change: tells whether a replayed lesson has the same result as the original.
[[nodiscard]] std::uint64_t digest_of(const Delta& delta);

/// Converts the state of a kind of learner to rows of numbers and back. A class is one row; a unit is one row
/// with rows of nodes and edges. A packed number takes 8 bytes; a packed unit is its row, the number of its
/// nodes, their rows, the number of its edges, and their rows.
class Storage {
  public:
    Storage() = default;
    virtual ~Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    Storage(Storage&&) = delete;
    Storage& operator=(Storage&&) = delete;

    struct Column {
        std::string name;
        bool is_real = false; ///< otherwise an unsigned integer
    };
    struct Columns {
        std::vector<Column> of_class;
        std::vector<Column> of_unit;
        std::vector<Column> of_node;
        std::vector<Column> of_edge; ///< empty: units have no edges
    };
    [[nodiscard]] virtual const Columns& columns() const = 0;
    /// The SQL of the views for the sqlite3 shell, which show names instead of numbers.
    [[nodiscard]] virtual std::vector<std::string> views() const { return {}; }
    /// The version of the rows, raised when the columns change.
    [[nodiscard]] virtual std::uint64_t version() const { return 1; }

    /// Writes a learner's classes and units to `content`; the header is left alone.
    virtual void describe(const Learner& learner, Content& content) const = 0;
    /// The storage of single classes, if it has one. Then no packed content is kept in memory, and
    /// `describe_step` is not called.
    [[nodiscard]] virtual const ClassStorage* by_class() const { return nullptr; }
    /// Writes the classes and units that the last step changed to `delta`; `before` is the content before it.
    virtual void describe_step(const Learner& /*learner*/, const LearnReport& /*report*/,
                               std::string_view /*label*/, const Content& /*before*/,
                               Delta& /*delta*/) const {}
    /// Throws Error(bad_input) if the content is not valid.
    [[nodiscard]] virtual std::unique_ptr<Learner> restore(const Content& content) const = 0;

    /// The new lineages of a class's units after it is renamed, by old lineage. A learner that derives
    /// lineages from the label must change them, because another class can take the old label. `content` has
    /// at least this class. `gone`: removed units, which may have belonged to the class.
    [[nodiscard]] virtual std::unordered_map<Lineage, Lineage>
    renamed_units(const Content& /*content*/, ClassId /*label*/, std::string_view /*new_label*/,
                  const std::vector<Lineage>& /*gone*/) const {
        return {};
    }
    /// The number of lessons of a class.
    [[nodiscard]] virtual std::uint64_t samples_of(std::string_view packed_class) const = 0;
};

/// What the storage of a learner with independent classes can do in addition: pack and replace single
/// classes. A class is given by its place: its index in the order of arrival.
class ClassStorage {
  public:
    ClassStorage() = default;
    virtual ~ClassStorage() = default;
    ClassStorage(const ClassStorage&) = delete;
    ClassStorage& operator=(const ClassStorage&) = delete;
    ClassStorage(ClassStorage&&) = delete;
    ClassStorage& operator=(ClassStorage&&) = delete;

    [[nodiscard]] virtual ClassEntry class_entry(const Learner& learner, std::size_t place) const = 0;
    [[nodiscard]] virtual std::vector<Lineage> units_of(const Learner& learner, std::size_t place) const = 0;
    /// nullopt if the class, whose id is `id`, has no such unit.
    [[nodiscard]] virtual std::optional<UnitEntry> unit_entry(const Learner& learner, std::size_t place,
                                                              ClassId id, Lineage lineage) const = 0;

    /// The class of a lesson. A new class has the place after the last one.
    struct LessonClass {
        std::string_view label;
        std::size_t place = 0;
        ClassId id = 0;
    };
    /// Learns a network. Writes the class and the units that change to `delta`, as they are after the lesson,
    /// and to `inverse`, as they were before it.
    virtual LearnReport learn(Learner& learner, const Network& network, const LessonClass& label,
                              Delta& delta, Inverse& inverse) const = 0;

    /// A class of some learner.
    struct Place {
        const Learner* learner = nullptr;
        std::size_t place = 0;
    };
    /// A sample of several, and what it changes.
    struct Sample {
        const Network* network = nullptr;
        LessonClass label;
    };
    struct Change {
        LearnReport report;
        Delta delta;
        Inverse inverse;
    };
    /// The same for many samples, in order, with the classes distributed over `threads` threads.
    [[nodiscard]] virtual std::vector<Change> learn_all(Learner& learner, const std::vector<Sample>& samples,
                                                        std::size_t threads) const = 0;

    /// Replaces a class by another of the same label. Takes constant time and does not throw.
    virtual void replace(Learner& learner, std::size_t place, const Place& by) const = 0;
    /// A learner with these classes, in this order. What it has learned is shared with the originals, not
    /// copied, and does not change with them.
    [[nodiscard]] virtual std::unique_ptr<Learner> assemble(const std::vector<Place>& classes) const = 0;
};

} // namespace sprig::learner
