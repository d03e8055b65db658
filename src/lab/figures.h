#pragma once

#include <filesystem>
#include <string>

#include "lab/result_files.h"

namespace sprig::lab {

/// Each class's accuracy along the stream, meaned over seeds, as an SVG text. Empty if it was not evaluated
/// after every block.
[[nodiscard]] std::string retention_figure(const Description& what, const Results& results);
/// How the number of units grew, meaned over seeds: of a learner that has negative ones, by polarity; of
/// others, all of them and the singletons.
[[nodiscard]] std::string growth_figure(const Description& what, const Results& results);
/// What the first seed's model has learned.
[[nodiscard]] std::string units_figure(const Description& what, const Results& results);

/// Writes `retention.svg`, `growth.svg` and `units.svg` into a folder that is there; what there is nothing to
/// draw for is left out.
void write_figures(const std::filesystem::path& folder, const Description& what, const Results& results);

} // namespace sprig::lab
