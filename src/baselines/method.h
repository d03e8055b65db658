#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "baselines/trial.h"

namespace sprig::baselines {

/// One way to learn, with all that was chosen for it.
struct Method {
    std::string name;   ///< of its results: its family and what tells it from others of it
    std::string family; ///< what a person asks for
    std::string title;
    nlohmann::ordered_json settings;
    MakeStrategy make;
    lab::Protocol protocol = {}; ///< the paper's, where the method does not say otherwise
    bool needs_network = false;
    double seconds = 5; ///< about how long a seed takes, for an estimate of what is left
};

/// Raised when a method gives other results than before: what was kept of it is then computed again.
inline constexpr int methods_version = 2;

} // namespace sprig::baselines
