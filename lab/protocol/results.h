#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/protocol/protocol.h"

namespace sprig::lab {

/// Names, in a fixed order, and what was measured under each; none where it could not be.
using NamedNumbers = std::vector<std::pair<std::string, std::optional<double>>>;

/// What one seed gave, each number under the name that tables and files use. `accuracy_final` and `early` are
/// about the large held-out set if there is one; then there is also the mean over its images,
/// `accuracy_final_plain`, and the names that end in `_drawn` are about the images drawn with the stream. All
/// measures of retention are about those. Never times: these numbers are the same in every run.
[[nodiscard]] NamedNumbers numbers_of(const SeedRun& run);

/// The means and standard deviations over seeds.
class Results {
  public:
    explicit Results(std::vector<SeedRun> runs);

    [[nodiscard]] const std::vector<SeedRun>& runs() const { return runs_; }
    [[nodiscard]] const NamedNumbers& numbers(std::size_t run) const { return numbers_[run]; }
    /// Over the seeds in which the number could be measured; none if there was no such seed (for the
    /// deviation: fewer than two). Throws Error(usage) for a name that no seed knows.
    [[nodiscard]] std::optional<double> mean_of(std::string_view name) const;
    [[nodiscard]] std::optional<double> deviation_of(std::string_view name) const;
    [[nodiscard]] NamedNumbers means() const;

  private:
    [[nodiscard]] std::vector<double> values(std::string_view name) const;

    std::vector<SeedRun> runs_;
    std::vector<NamedNumbers> numbers_;
};

/// The scores at the end of the stream on the set that is reported on.
[[nodiscard]] const Scores& final_scores(const SeedRun& run);

/// What was found at the end of a cycle; null if nothing was looked at then.
[[nodiscard]] const Checkpoint* end_of_cycle(const SeedRun& run, std::size_t cycle);
[[nodiscard]] const LargeCheckpoint* large_end_of_cycle(const SeedRun& run, std::size_t cycle);

/// All that one seed gave, without its units and its times: the same in every run.
[[nodiscard]] nlohmann::ordered_json json_of(const SeedRun& run);

/// The run again. Throws Error(bad_input) if the text is anything else.
[[nodiscard]] SeedRun run_of(const nlohmann::ordered_json& json);

/// A model's size, and again.
[[nodiscard]] nlohmann::ordered_json json_of(const Census& census);
[[nodiscard]] Census census_of(const nlohmann::ordered_json& json);

} // namespace sprig::lab
