#pragma once

#include <string>
#include <string_view>

#include "sprig/front_end.h"

namespace sprig {

/// Sets one parameter by name. Returns false if there is no such parameter. Throws Error(usage) if the value
/// cannot be parsed; `FrontEnd` rejects values that are out of range.
[[nodiscard]] bool set_parameter(FrontEndParams& params, std::string_view name, std::string_view value);
/// All names, separated by commas, for a message.
[[nodiscard]] std::string front_end_parameter_names();
/// All parameters as JSON text.
[[nodiscard]] std::string to_json(const FrontEndParams& params);
/// Reads the output of `to_json`. Throws Error(bad_input) if the text is invalid, Error(usage) if a name is
/// unknown or a value is out of range.
[[nodiscard]] FrontEndParams read_front_end(const std::string& json);

} // namespace sprig
