#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/protocol.h"

namespace sprig::lab {

/// All that one seed gave, without its units, its audits and its times: the same in every run.
[[nodiscard]] nlohmann::ordered_json json_of(const SeedRun& run);

/// The run again. Throws Error(bad_input) if the text is anything else.
[[nodiscard]] SeedRun run_of(const nlohmann::ordered_json& json);

/// A model's size as a list of counts, and again. Throws Error(bad_input) if it is anything else.
[[nodiscard]] nlohmann::ordered_json json_of(const Census& census);
[[nodiscard]] Census census_of(const nlohmann::ordered_json& json);

} // namespace sprig::lab
