#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "lab/chart.h"
#include "lab/result_files.h"

namespace sprig::lab {

/// Each class's accuracy along the stream, meaned over seeds. None if it was not evaluated after every block.
[[nodiscard]] std::optional<Chart> retention_figure(const Description& what, const Results& results);
/// How the number of units grew, meaned over seeds: of a learner that has negative ones, by polarity; of
/// others, all of them and the singletons.
[[nodiscard]] std::optional<Chart> growth_figure(const Description& what, const Results& results);
/// What the first seed's model has learned, as SVG text.
[[nodiscard]] std::string units_figure(const Description& what, const Results& results);

/// Writes the charts `retention` and `growth` and the drawing `units.svg` into a folder that is there; what
/// there is nothing to draw for is left out.
void write_figures(const std::filesystem::path& folder, const Description& what, const Results& results);

} // namespace sprig::lab
