#pragma once

#include <string>
#include <vector>

#include "store/codec.h"

namespace sprig::store {

/// What people with the sqlite3 shell look at: the tables with names in place of numbers. The SQL that makes
/// the views.
[[nodiscard]] std::vector<std::string> views_of(const Codec& codec);

} // namespace sprig::store
