#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sprig::lab {

/// "0-9", "3" or "0,2,5-7" as seeds, in the order written. Throws Error(usage) with the reason if the text is
/// anything else, names a seed twice or names more than a thousand.
[[nodiscard]] std::vector<std::uint64_t> parse_seeds(std::string_view text);

} // namespace sprig::lab
