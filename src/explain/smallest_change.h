#pragma once

#include "sprig/explain.h"

namespace sprig::explain {

/// Searches for the smallest set of additions that changes the answer from `best` to `other`. The search is
/// exhaustive for small sets and greedy for larger ones.
[[nodiscard]] Change smallest_change(Reader& reader, const Network& network, std::size_t best,
                                     std::size_t other, const LocalOptions& options);

} // namespace sprig::explain
