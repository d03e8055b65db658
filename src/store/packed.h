#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/model_state.h"

namespace sprig::store {

// The packed content of the tables `undo` and `journal`: bytes with a checksum at the end. Unpacking throws
// Error(bad_input) if they are damaged.

/// A change, as the inverse of a lesson. A unit that exists before the change is packed as its difference
/// from `unit_before`, which returns nullopt for other units.
using UnitLookup = std::function<std::optional<UnitEntry>(Lineage)>;
[[nodiscard]] std::string pack(const Delta& delta, const UnitLookup& unit_before);
[[nodiscard]] Delta unpack_delta(std::string_view bytes, const UnitLookup& unit_before);

/// The input of a lesson. It is learned again if the program was stopped before it wrote the tables.
struct LoggedLesson {
    std::string label;
    Network network;
    std::uint64_t digest = 0; ///< of the change: see `learner::digest_of`
};
[[nodiscard]] std::string pack_lesson(const Network& network, std::string_view label, std::uint64_t digest);
/// `schema`: the schema of the model's front end.
[[nodiscard]] LoggedLesson unpack_lesson(std::string_view bytes, const std::shared_ptr<const Schema>& schema);

} // namespace sprig::store
