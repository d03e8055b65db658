#pragma once

#include <initializer_list>
#include <utility>

#include <nlohmann/json.hpp>

namespace sprig {

/// A member of a JSON object.
struct JsonMember {
    const char* key;
    mutable nlohmann::ordered_json value;
};

/// A JSON object with these members, in this order. What the JSON library makes of nested braces takes
/// several times the code.
[[nodiscard]] inline nlohmann::ordered_json json_object(std::initializer_list<JsonMember> members) {
    auto object = nlohmann::ordered_json::object();
    for (const JsonMember& member : members) object[member.key] = std::move(member.value);
    return object;
}

} // namespace sprig
