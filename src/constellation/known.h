#pragma once

#include <cstdint>

#include "constellation/predictive.h"

namespace sprig::constellation {

/// The fit (the log-likelihood for each observed node) that samples of a unit have on average if the unit
/// describes them well.
[[nodiscard]] double expected_fit(const Unit& unit, const Predictive& predictive,
                                  const ConstellationParams& params, const FeatureSet& set);

/// How likely it is that an observation shows a known class, if it is as likely as not beforehand: from the
/// fit of its best class, the expected fit of the best unit of that class and the number of its samples.
[[nodiscard]] double known_probability(double fit, double expected_fit, std::uint64_t samples);

} // namespace sprig::constellation
