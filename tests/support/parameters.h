#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

// Checks of the parameters of every learner: they can be set by name and survive a JSON round trip.

namespace sprig::test {

/// A JSON value as it is written on the command line.
inline std::string typed(const nlohmann::json& value) {
    if (value.is_null()) return "none";
    if (value.is_string()) return value.get<std::string>();
    return value.dump();
}

template <typename Params>
Params read_back(const std::string& json) {
    Params params;
    const nlohmann::json parsed = nlohmann::json::parse(json);
    for (const auto& [name, value] : parsed.items()) set_parameter(params, name, typed(value));
    return params;
}

/// Sets every parameter to each of the values that `others` returns for it.
template <typename Params, typename Others>
void expect_every_name_can_be_set(std::size_t count, Others others) {
    const nlohmann::json defaults = nlohmann::json::parse(to_json(Params{}));
    EXPECT_EQ(defaults.size(), count);
    for (const auto& [name, value] : defaults.items()) {
        const std::vector<std::string> values = others(value, name);
        EXPECT_FALSE(values.empty()) << name << " has a type that this test does not know";
        for (const std::string& other : values) {
            Params params;
            set_parameter(params, name, other);
            EXPECT_EQ(typed(nlohmann::json::parse(to_json(params))[name]), other) << name;
            EXPECT_EQ(read_back<Params>(to_json(params)), params) << name;
            // The other parameters are unchanged.
            nlohmann::json changed = nlohmann::json::parse(to_json(params));
            changed[name] = value;
            EXPECT_EQ(changed, defaults) << name;
        }
    }
}

/// The error message for an invalid value; expects that the parameters are unchanged.
template <typename Params>
std::string refusal(const std::string& name, const std::string& value) {
    Params params;
    try {
        set_parameter(params, name, value);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_EQ(params, Params{}) << "a rejected value changes nothing: " << name << "=" << value;
        return error.what();
    }
    ADD_FAILURE() << name << "=" << value << " was accepted";
    return {};
}

} // namespace sprig::test
