#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/parameters.h"
#include "sprig/learners.h"
#include "vision/front_end_parameters.h"

namespace sprig::learner {

/// Sets what belongs to the learner or, with the same words, to the front end it sees with.
template <class Params>
void apply(const Settings& settings, std::string_view learner, Params& params, FrontEndParams& front_end) {
    for (const auto& [key, value] : settings) {
        if (sprig::set_parameter(front_end, key, value)) continue;
        const nlohmann::ordered_json known = nlohmann::ordered_json::parse(to_json(params));
        if (!known.contains(key)) {
            std::vector<std::string> names;
            for (const auto& item : known.items()) names.push_back(item.key());
            throw usage_error(fmt::format("{} has no parameter {}: there are {}; and of its front end {}",
                                          learner, key, fmt::join(names, ", "), front_end_parameter_names()));
        }
        set_parameter(params, key, value);
    }
}

/// Parameters as they were stored. Throws Error if they are not known here or make no sense.
template <class Params>
[[nodiscard]] Params read_stored(const std::string& json) {
    Params params;
    parameters::read(json, [&](auto name, auto value) { set_parameter(params, name, value); });
    params.check();
    return params;
}

} // namespace sprig::learner
