#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sprig/front_end.h"

namespace sprig {

/// Sets one parameter of a front end by name; false if it has none of that name. Throws Error(usage) for a
/// value that makes no sense for it; what is out of range is refused by `FrontEnd`.
[[nodiscard]] bool set_parameter(FrontEndParams& params, std::string_view name, std::string_view value);
/// The names, for a sentence.
[[nodiscard]] std::string front_end_parameter_names();
[[nodiscard]] nlohmann::ordered_json to_json(const FrontEndParams& params);
/// Reads what `to_json` writes. Throws Error(bad_input) if it is something else, Error(usage) if a name is not
/// known or a value is out of range.
[[nodiscard]] FrontEndParams read_front_end(const std::string& json);

} // namespace sprig
