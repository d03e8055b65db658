#pragma once

#include "baselines/charts.h"

namespace sprig::baselines {

/// How much of a class is kept within a cycle, early and over the whole stream: the paper's table.
[[nodiscard]] lab::StudyTable retention_table(const std::vector<Shown>& shown,
                                              const lab::ResultsByName& results);
/// Final accuracy by class, of those that the paper shows.
[[nodiscard]] lab::StudyTable per_class_table(const std::vector<Shown>& shown,
                                              const lab::ResultsByName& results);
/// One of ours against all others: final accuracies seed by seed. Beside the paper's own learner stand the
/// figures that the paper prints.
void add_tests(lab::StudyTable& table, const Shown& ours, const std::vector<Shown>& others,
               const lab::ResultsByName& results);
[[nodiscard]] lab::StudyTable empty_test_table();

/// Why some rows differ from the paper's.
[[nodiscard]] std::vector<lab::Reason> reasons();

} // namespace sprig::baselines
