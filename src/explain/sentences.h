#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// How explanations write numbers and names, in sentences and in figures.

namespace sprig::explain {

/// U+2212, as wide as a plus sign.
inline constexpr std::string_view minus_sign = "\xE2\x88\x92";

/// "12.3"; negative numbers have a minus sign.
[[nodiscard]] std::string format_score(double score, int decimals = 1);

/// The letter that names an addition: a, b, c, ...
[[nodiscard]] std::string addition_letter(std::size_t index);

/// "1 node" or "3 nodes".
[[nodiscard]] std::string format_count(std::size_t count, std::string_view thing);

} // namespace sprig::explain
