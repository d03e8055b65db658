#pragma once

#include <memory>

#include "baselines/strategy.h"

namespace sprig::baselines {

/// The same learner, shown ink or paper instead of grey levels: what Sprig's own eye sees.
[[nodiscard]] std::unique_ptr<Strategy> binarized(std::unique_ptr<Strategy> learner);

} // namespace sprig::baselines
