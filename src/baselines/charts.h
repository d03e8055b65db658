#pragma once

#include <vector>

#include "baselines/paper_tables.h"
#include "lab/comparison.h"

namespace sprig::baselines {

/// What stands in a chart: how it is called there, and whose results it shows.
struct Shown {
    std::string title;
    std::string experiment;
};

/// Accuracy over the cycles of everybody, of those with larger buffers and of the experts, and how each keeps
/// its classes. Whoever has no results is left out.
[[nodiscard]] std::vector<lab::StudyChart> charts_of(const std::vector<Shown>& own,
                                                     const std::vector<Shown>& others,
                                                     const std::vector<std::string>& classes,
                                                     const lab::ResultsByName& results);

} // namespace sprig::baselines
