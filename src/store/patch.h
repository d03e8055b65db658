#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sprig::store {

/// How a packed unit is laid out: words of 8 bytes, so many for the unit itself, then the number of its nodes
/// and so many words for each, then the same of its edges.
struct Shape {
    std::size_t of_unit = 0;
    std::size_t of_node = 0;
    std::size_t of_edge = 0;
};

/// What turns one packed unit into another: of every row only the words that changed. A lesson changes some
/// of a unit's numbers, and what is written at every lesson is paid for at every lesson.
[[nodiscard]] std::string make_patch(std::string_view before, std::string_view after, const Shape& shape);

/// The unit after it. Throws Error(bad_input) if the patch was not made for this unit.
[[nodiscard]] std::string patched(std::string_view before, std::string_view patch, const Shape& shape);

} // namespace sprig::store
