#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sprig::cli {

using Json = nlohmann::ordered_json;

/// Formats JSON for output. Invalid UTF-8, as in some paths, is replaced.
[[nodiscard]] inline std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace sprig::cli
