#pragma once

#include <cstdint>
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

using ClassId = std::uint32_t; ///< classes are in the order of their ids
/// They are counted from 1.
[[nodiscard]] constexpr bool is_class_id(std::int64_t id) {
    return id >= 1 && id <= 0x7fffffff;
}

/// What a model is, apart from what it learned.
struct Head {
    std::string learner;
    std::string preset;     ///< what it was made as; only for looking at
    std::string parameters; ///< JSON
    std::string front_end;  ///< JSON
    std::uint64_t method = 1;
    std::uint64_t seed = 0;
    std::uint64_t steps = 0;
    std::uint64_t lessons = 0; ///< learned into this file and not undone
};

/// What a model knows of a class, and of a unit: all its numbers, packed. Only a storage looks into them.
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

/// All that a model remembers.
struct Content {
    Head head;
    std::map<ClassId, ClassEntry> classes;
    std::unordered_map<Lineage, UnitEntry> units;

    [[nodiscard]] std::optional<ClassId> class_called(std::string_view label) const;
    [[nodiscard]] ClassId next_class() const { return classes.empty() ? 1 : classes.rbegin()->first + 1; }
};

/// What one lesson changes: new values, or nothing for what goes.
struct Delta {
    std::uint64_t lesson = 0; ///< after it
    std::uint64_t steps = 0;
    std::vector<std::pair<ClassId, std::optional<ClassEntry>>> classes = {};
    std::vector<std::pair<Lineage, std::optional<UnitEntry>>> units = {};
    std::vector<UnitEvent> events = {}; ///< of the lesson itself, also in what takes it back
};

/// Changes the content, and gives back what would undo that.
[[nodiscard]] Delta apply(Content& content, Delta delta);
/// A sum over all that a change sets: tells whether the same lesson came to the same elsewhere.
[[nodiscard]] std::uint64_t sum_of(const Delta& delta);

/// What one kind of learner remembers, as rows of numbers: a class is one row, a unit is one row with rows of
/// nodes and edges. Packed, a number takes 8 bytes; a unit is its own row, the number of its nodes, their
/// rows, the number of its edges, and their rows.
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
        bool is_real = false; ///< or a whole number, not negative
    };
    struct Columns {
        std::vector<Column> of_class;
        std::vector<Column> of_unit;
        std::vector<Column> of_node;
        std::vector<Column> of_edge; ///< empty: units have no edges
    };
    [[nodiscard]] virtual const Columns& columns() const = 0;
    /// SQL that makes the views which people with the sqlite3 shell look at: names in place of numbers.
    [[nodiscard]] virtual std::vector<std::string> views() const { return {}; }
    /// Of these rows: raised when they change, so that what was stored with others is known as such.
    [[nodiscard]] virtual std::uint64_t version() const { return 1; }

    /// All that a learner knows of its classes and units; the head is not looked at.
    virtual void describe(const Learner& learner, Content& content) const = 0;
    /// What its last step changed, seen from the content before it: classes and units.
    virtual void describe_step(const Learner& learner, const LearnReport& report, std::string_view label,
                               const Content& before, Delta& delta) const = 0;
    /// Throws Error(bad_input) if the content makes no learner.
    [[nodiscard]] virtual std::unique_ptr<Learner> restore(const Content& content) const = 0;

    /// What the units of a class are called, and what they are called once it has another label: where a name
    /// is made of the label and the number of a sample, the old ones are free for another class. Those in
    /// `gone` may have been units of the class, too.
    [[nodiscard]] virtual std::unordered_map<Lineage, Lineage>
    renamed(const Content& /*content*/, ClassId /*label*/, std::string_view /*new_label*/,
            const std::vector<Lineage>& /*gone*/) const {
        return {};
    }
    /// How many lessons of a class there were.
    [[nodiscard]] virtual std::uint64_t samples_of(std::string_view packed_class) const = 0;
};

} // namespace sprig::learner
