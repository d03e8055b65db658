#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sprig/learner.h"

namespace sprig::store {

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

/// What a model knows of a class, and of a unit: all its numbers, packed. Only a codec looks into them.
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
    std::vector<std::pair<ClassId, std::optional<ClassEntry>>> classes;
    std::vector<std::pair<Lineage, std::optional<UnitEntry>>> units;
    std::vector<UnitEvent> events; ///< of the lesson itself, also in what takes it back

    /// What a codec can tell more shortly than by values: the last so many units follow from what was before
    /// and from this, which only the codec reads.
    std::size_t traced = 0;
    std::string trace = {};
};

/// Changes the content, and gives back what would undo that.
[[nodiscard]] Delta apply(Content& content, Delta delta);

} // namespace sprig::store
