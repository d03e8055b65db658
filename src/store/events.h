#pragma once

#include <string_view>

#include "sprig/learner.h"

namespace sprig::store {

/// The inverse of `event_name`. Throws Error(bad_input) if there is no such kind.
[[nodiscard]] UnitEvent::Kind parse_event_kind(std::string_view name);
[[nodiscard]] std::string_view event_meaning(UnitEvent::Kind kind);

} // namespace sprig::store
