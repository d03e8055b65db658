#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "store/kept.h"

namespace sprig::store {

// What is kept beside the tables, as bytes with a checksum at the end. Reading throws Error(bad_input) if
// they are not what was written.

/// A change by its values, for undoing a lesson: of units that are there before it, what differs.
/// `unit_before` gives those, or null.
using UnitLookup = std::function<const UnitEntry*(Lineage)>;
[[nodiscard]] std::string pack(const Delta& delta, const UnitLookup& unit_before);
[[nodiscard]] Delta unpack_delta(std::string_view bytes, const Content& before);

/// The input of a lesson, which is learned again if the program that learned it did not get to write the
/// tables.
struct LoggedLesson {
    std::string label;
    Network network;
    std::uint64_t sum = 0; ///< of what it came to: see `learner::sum_of`
};
[[nodiscard]] std::string pack_lesson(const Network& network, std::string_view label, std::uint64_t sum);
/// `schema`: of the model's front end.
[[nodiscard]] LoggedLesson unpack_lesson(std::string_view bytes, const std::shared_ptr<const Schema>& schema);

} // namespace sprig::store
