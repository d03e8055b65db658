#pragma once

#include <span>
#include <vector>

#include "modeller/read_plan.h"

namespace sprig::modeller {

/// What each unit adds to its class's score if nothing but presence is looked at. `degree` says by unit how
/// far it is there: 1 in full, 0 not at all.
///
/// The evidence of a unit is the log-odds of its reliability plus the evidence of the units upstream of it,
/// with the sign of their polarity; what speaks against its own sense (an unreliable upstream) is silent. A
/// class has the evidence of the best of its first-level units; with `precedence` the strongest unit upstream
/// speaks in place of its target. All of a class's values add up to its evidence.
[[nodiscard]] std::vector<double> presence_values(const ReadPlan& plan, std::span<const double> degree,
                                                  bool precedence);

} // namespace sprig::modeller
