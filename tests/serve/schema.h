#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sprig::serve_test {

/// The first reason why a value does not match a JSON schema of an OpenAPI document; empty if it matches. It
/// knows the keywords that our document uses and fails for any other one.
[[nodiscard]] std::string mismatch(const nlohmann::ordered_json& value, const nlohmann::ordered_json& schema,
                                   const nlohmann::ordered_json& document, const std::string& where = "$");

} // namespace sprig::serve_test
