#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// How explanations write numbers and names, in sentences and in figures alike.

namespace sprig::explain_detail {

/// U+2212: as wide as a plus.
inline constexpr std::string_view minus = "\xE2\x88\x92";

/// "12.3", and likewise below 0.
[[nodiscard]] std::string score_words(double score, int decimals = 1);

/// The letter of what would have to be added: a, b, c and so on.
[[nodiscard]] std::string letter(std::size_t index);

/// "1 node" or "3 nodes".
[[nodiscard]] std::string counted(std::size_t count, std::string_view thing);

} // namespace sprig::explain_detail
