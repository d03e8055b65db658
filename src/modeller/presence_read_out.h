#pragma once

#include <span>
#include <vector>

#include "modeller/read_plan.h"

namespace sprig::modeller {

/// The value that each unit adds to the score of its class, computed from presence alone. `degree` is the
/// degree of match of each unit: 1 in full, 0 not at all.
///
/// The evidence of a unit is the log-odds of its reliability plus the evidence of its upstream units, with
/// the sign of their polarity. Upstream units with negative evidence are ignored: they are unreliable. With
/// `precedence`, the strongest upstream unit replaces the evidence of its target. The evidence of a class is
/// that of its best first-level unit, and equals the sum of the values of its units.
[[nodiscard]] std::vector<double> presence_values(const ReadPlan& plan, std::span<const double> degree,
                                                  bool precedence);

} // namespace sprig::modeller
