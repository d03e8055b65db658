#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sprig/front_end.h"

namespace sprig::store {

/// Calls `set` with every name and value of a JSON object, values as one would write them on a command line.
/// Throws Error(bad_input) if the text is something else.
void read_parameters(const std::string& json,
                     const std::function<void(std::string_view, std::string_view)>& set);
[[nodiscard]] FrontEndParams read_front_end(const std::string& json);

} // namespace sprig::store
