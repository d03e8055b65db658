#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/protocol/protocol.h"

namespace sprig::lab {

/// Measures by name, in a fixed order; not set if they could not be computed.
using NamedNumbers = std::vector<std::pair<std::string, std::optional<double>>>;

/// The measures of one seed, by the names that tables and files use. `accuracy_final` and `early` are
/// measured on the large held-out set if there is one; then `accuracy_final_plain` is the mean over its
/// images, and names that end in `_drawn` are about the images drawn with the stream. All measures of
/// retention are about the latter. Times are not included: the numbers are the same in every run.
[[nodiscard]] NamedNumbers numbers_of(const SeedRun& run);

/// The means and standard deviations over seeds.
class Results {
  public:
    explicit Results(std::vector<SeedRun> runs);

    [[nodiscard]] const std::vector<SeedRun>& runs() const { return runs_; }
    [[nodiscard]] const NamedNumbers& numbers(std::size_t run) const { return numbers_[run]; }
    /// Over the seeds that have the measure; not set if there is none (for the deviation: fewer than two).
    /// Throws Error(usage) if the name is unknown.
    [[nodiscard]] std::optional<double> mean_of(std::string_view name) const;
    [[nodiscard]] std::optional<double> deviation_of(std::string_view name) const;
    [[nodiscard]] NamedNumbers means() const;

  private:
    [[nodiscard]] std::vector<double> values(std::string_view name) const;

    std::vector<SeedRun> runs_;
    std::vector<NamedNumbers> numbers_;
};

/// The scores at the end of the stream, on the reported held-out set.
[[nodiscard]] const Scores& final_scores(const SeedRun& run);

/// The evaluation at the end of a cycle; null if there is none.
[[nodiscard]] const Checkpoint* end_of_cycle(const SeedRun& run, std::size_t cycle);
[[nodiscard]] const LargeCheckpoint* large_end_of_cycle(const SeedRun& run, std::size_t cycle);

/// The result of one seed without units and times: the same in every run.
[[nodiscard]] nlohmann::ordered_json json_of(const SeedRun& run);

/// The inverse. Throws Error(bad_input) if the JSON is anything else.
[[nodiscard]] SeedRun run_of(const nlohmann::ordered_json& json);

} // namespace sprig::lab
