#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/parameters.h"
#include "sprig/learners.h"
#include "vision/front_end_parameters.h"

namespace sprig::learner {

/// Applies settings to the parameters of the learner and of its front end.
template <class Params>
void apply(const Settings& settings, std::string_view learner, Params& params, FrontEndParams& front_end) {
    for (const auto& [key, value] : settings) {
        if (sprig::set_parameter(front_end, key, value)) continue;
        const nlohmann::ordered_json known = nlohmann::ordered_json::parse(to_json(params));
        if (!known.contains(key)) {
            std::vector<std::string> names;
            for (const auto& item : known.items()) names.push_back(item.key());
            throw usage_error(
                fmt::format("{} has no parameter {}: its parameters are {}; those of its front end are {}",
                            learner, key, fmt::join(names, ", "), front_end_parameter_names()));
        }
        set_parameter(params, key, value);
    }
}

/// Reads stored parameters. Throws Error if a parameter is unknown or its value is not valid.
template <class Params>
[[nodiscard]] Params read_stored(const std::string& json) {
    Params params;
    parameters::read(json, [&](auto name, auto value) { set_parameter(params, name, value); });
    params.check();
    return params;
}

} // namespace sprig::learner
