#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/json.h"
#include "sprig/store.h"

namespace sprig::cli {

/// In what two models differ.
struct ModelDiff {
    /// Something that both have one value of.
    struct Fact {
        std::string name;
        std::string first;
        std::string second;
    };
    struct Class {
        std::string label;
        std::optional<std::uint64_t> first; ///< how many samples of it; none: it is not known there
        std::optional<std::uint64_t> second;
        std::vector<Lineage> added; ///< units that only the second one has
        std::vector<Lineage> removed;
        std::vector<Lineage> changed;
    };
    std::vector<Fact> facts;    ///< only those that differ, as the next ones
    std::vector<Class> classes; ///< in the order of the first one, then of the second

    [[nodiscard]] bool is_empty() const { return facts.empty() && classes.empty(); }
};

[[nodiscard]] ModelDiff compare(const StoredModel& first, const StoredModel& second);
[[nodiscard]] Json json_of(const ModelDiff& diff);
[[nodiscard]] std::string text_of(const ModelDiff& diff, const std::string& first, const std::string& second);

} // namespace sprig::cli
