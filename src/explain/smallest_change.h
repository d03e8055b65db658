#pragma once

#include "sprig/explain.h"

namespace sprig::explain {

/// The smallest set of things whose presence would have made the answer `other` instead of `best`, as far as
/// it can be found: see Change.
[[nodiscard]] Change smallest_change(Reader& reader, const Network& network, std::size_t best,
                                     std::size_t other, const LocalOptions& options);

} // namespace sprig::explain
