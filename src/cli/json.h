#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sprig::cli {

using Json = nlohmann::ordered_json;

/// As the program prints it. Paths need not be UTF-8, JSON must be: what is not is replaced.
[[nodiscard]] inline std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace sprig::cli
