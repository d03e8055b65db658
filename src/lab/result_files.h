#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/results.h"

namespace sprig::lab {

/// What was run, for whoever reads the results.
struct Description {
    std::string learner;
    std::string preset;
    std::vector<std::pair<std::string, std::string>> settings; ///< what was chosen beyond the preset
    std::string parameters;                                    ///< the learner's own words: JSON
    MaterialOptions material;
    Protocol protocol;
    std::vector<std::string> classes;
    std::size_t pool_images = 0;
    std::size_t large_images = 0;
};

/// All that was measured and how, without times: the same in every run.
[[nodiscard]] nlohmann::ordered_json summary_json(const Description& what, const Results& results);
/// What `sprig run --json` prints: the means under their names, and the same for each seed.
[[nodiscard]] nlohmann::ordered_json report_json(const Description& what, const Results& results);
/// How long it took, by seed.
[[nodiscard]] nlohmann::ordered_json times_json(const Results& results);

/// A row for each seed, evaluation and class.
[[nodiscard]] std::string evaluations_csv(const Description& what, const Results& results);
/// A row for each seed and evaluation: the units, and the work of asking them.
[[nodiscard]] std::string growth_csv(const Results& results);

/// Writes `evaluations.csv`, `growth.csv`, `summary.json` and `times.json` into a folder that is there. All
/// but the last are the same, byte for byte, whenever the same was run.
void write_results(const std::filesystem::path& folder, const Description& what, const Results& results);

} // namespace sprig::lab
